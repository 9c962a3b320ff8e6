//! Both versions of a function, run in every way and compared.

use super::case::{Case, Run, run};
use super::log::{Event, Record};
use super::script::SCRIPTS;

/// The number of bytes by which an explicit machine that stores the compiler's coroutine may be
/// larger: one, rounded up to its alignment.
const SURPLUS: usize = 8;

/// Runs both versions of each case in every way, and prints the results.
///
/// The last part of a case is the number of bytes by which the machine may be larger.
///
/// A line `at NAME` precedes each case, so that a case that hangs or aborts is known. Then follows
/// `ok NAME RUNS EVENTS SIZE SIZE`, or `differs NAME`, the differing lines, and `end`.
pub fn compare(cases: &[(&str, Case, Case, usize)]) {
    std::panic::set_hook(Box::new(|_| {}));
    let mut instead: Vec<&str> = Vec::new();
    for &(name, native, machine, allowed) in cases {
        println!("at {name}");
        let family = |name: &str| name.split('.').next().map(str::to_owned);
        let held = instead.iter().filter(|other| family(other) == family(name));
        let mut tally = RunTally {
            allowed: allowed + held.count() * SURPLUS,
            ..RunTally::default()
        };
        let compared = tally.case(native, machine);
        instead.extend(Some(name).filter(|_| tally.instead));
        match compared {
            Ok(()) => println!(
                "ok {name} {} {} {} {}",
                tally.runs, tally.events, tally.native, tally.machine
            ),
            Err(difference) => println!("differs {name}\n{difference}\nend"),
        }
    }
}

#[derive(Default)]
struct RunTally {
    runs: usize,
    events: usize,
    native: usize,
    machine: usize,
    /// So many bytes the machine may be larger.
    allowed: usize,
    /// `true` if the machine stores the compiler's coroutine instead of larger fields.
    instead: bool,
}

impl RunTally {
    fn case(&mut self, native: Case, machine: Case) -> Result<(), String> {
        let mut seen: Vec<Vec<Event>> = Vec::new();
        for script in 0..SCRIPTS {
            let record = self.both(native, machine, script, Run::Complete)?;
            if seen.contains(&record.log) {
                continue;
            }
            let polls = record
                .log
                .iter()
                .filter(|e| e.to_string().starts_with("pending"));
            for polls in 0..=u32::try_from(polls.count()).unwrap_or(0) {
                self.both(native, machine, script, Run::CancelAfter(polls))?;
            }
            for event in 1..=record.strikes {
                self.both(native, machine, script, Run::PanicAt(event))?;
            }
            seen.push(record.log);
        }
        Ok(())
    }

    /// Runs both versions in one way. Returns the record of the native one.
    fn both(
        &mut self,
        native: Case,
        machine: Case,
        script: u64,
        way: Run,
    ) -> Result<Record, String> {
        let (expected, found) = (run(native, script, way), run(machine, script, way));
        self.runs += 1;
        self.events += expected.log.len();
        (self.native, self.machine) = (expected.size, found.size);
        if expected.log != found.log {
            return Err(difference(&expected.log, &found.log, script, way));
        }
        self.instead |= found.instead;
        let own = if self.instead { SURPLUS } else { 0 };
        if found.size > room(expected.size, self.allowed + own) {
            return Err(format!("larger: {} against {}", found.size, expected.size));
        }
        Ok(expected)
    }
}

/// Returns the size limit of a machine. A machine that may be larger has words of eight bytes.
fn room(size: usize, allowed: usize) -> usize {
    match allowed {
        0 => size,
        _ => size.next_multiple_of(8) + allowed,
    }
}

/// Describes the first difference of two logs.
fn difference(native: &[Event], machine: &[Event], script: u64, way: Run) -> String {
    let equal = native
        .iter()
        .zip(machine)
        .take_while(|(a, b)| a == b)
        .count();
    let shown = |log: &[Event]| {
        let from = equal.saturating_sub(6);
        let shown: Vec<String> = log[from..]
            .iter()
            .take(24)
            .map(ToString::to_string)
            .collect();
        shown.join(" ")
    };
    format!(
        "script {script}, {way:?}, first difference at event {equal}\n  native  .. {}\n  machine .. {}",
        shown(native),
        shown(machine)
    )
}
