//! Durations on the command line and in tables.

use std::time::Duration;

/// The units of a duration, largest first: name in a table, letter of an argument, milliseconds.
const UNITS: [(&str, char, u128); 4] = [
    ("d", 'd', 86_400_000),
    ("h", 'h', 3_600_000),
    ("min", 'm', 60_000),
    ("s", 's', 1_000),
];

/// Returns a duration in its largest unit, and the next one.
pub(super) fn age(duration: Duration) -> String {
    let millis = duration.as_millis();
    let Some(largest) = UNITS.iter().position(|(_, _, unit)| millis >= *unit) else {
        return format!("{millis} ms");
    };
    let (name, _, unit) = UNITS[largest];
    let whole = format!("{} {name}", millis / unit);
    match UNITS.get(largest + 1) {
        Some((name, _, next)) if millis % unit >= *next => {
            format!("{whole} {} {name}", millis % unit / next)
        }
        _ => whole,
    }
}

/// Reads a duration such as `90s`, `15m`, `2h` or `7d`.
pub(super) fn parse_age(text: &str) -> Result<Duration, String> {
    let parsed = UNITS.iter().find_map(|(_, letter, unit)| {
        let number: u64 = text.strip_suffix(*letter)?.parse().ok()?;
        number.checked_mul(u64::try_from(*unit).ok()?)
    });
    let millis = parsed.ok_or("write a number and a unit: 90s, 15m, 2h or 7d")?;
    Ok(Duration::from_millis(millis))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{age, parse_age};

    #[test]
    fn ages_have_two_units() {
        let millis = [(7, "7 ms"), (59_999, "59 s"), (61_000, "1 min 1 s")];
        let long = [
            (3_600_000, "1 h"),
            (93_600_000, "1 d 2 h"),
            (86_400_059, "1 d"),
        ];
        for (millis, expected) in millis.into_iter().chain(long) {
            assert_eq!(age(Duration::from_millis(millis)), expected);
        }
    }

    #[test]
    fn ages_are_read_with_their_unit() {
        assert_eq!(parse_age("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_age("2h"), Ok(Duration::from_secs(7_200)));
        for wrong in ["", "h", "5", "5 h", "-1d", "99999999999999999d"] {
            assert!(parse_age(wrong).is_err(), "{wrong}");
        }
    }
}
