//! The scalars that a build reads from those of another one, as JSON.

use super::change::Effect;

/// Returns the effect of a change between two different scalars.
pub(super) fn scalar_effect(old: &str, new: &str) -> Effect {
    let number = |name| is_number(name);
    match (integer(old), integer(new)) {
        (Some(old), Some(new)) if contains(new, old) => return Effect::Loads,
        (Some(_), Some(_)) => return Effect::Depends,
        _ => {}
    }
    match (old, new) {
        (_, "any") | ("char", "string") => Effect::Loads,
        (_, "f64" | "f32") if number(old) => Effect::Loads,
        ("any" | "unknown", _) | (_, "unknown") | ("string", "char") => Effect::Depends,
        ("f32" | "f64", _) if number(new) => Effect::Depends,
        _ => Effect::Parks,
    }
}

fn is_number(name: &str) -> bool {
    integer(name).is_some() || matches!(name, "f32" | "f64")
}

/// Returns `true` if the type is signed, and its bits.
fn integer(name: &str) -> Option<(bool, u32)> {
    let is_signed = name.starts_with('i');
    let bits = name.strip_prefix(['i', 'u'])?;
    Some((is_signed, bits.parse().ok()?))
}

/// Returns `true` if the first type has all values of the second one.
fn contains((is_signed, bits): (bool, u32), (other_signed, other_bits): (bool, u32)) -> bool {
    match (is_signed, other_signed) {
        (true, false) => bits > other_bits,
        (false, true) => false,
        _ => bits >= other_bits,
    }
}

#[cfg(test)]
mod tests {
    use super::scalar_effect;
    use crate::schema::Effect;

    #[test]
    fn larger_integers_load() {
        assert_eq!(scalar_effect("u32", "u64"), Effect::Loads);
        assert_eq!(scalar_effect("u32", "i64"), Effect::Loads);
        assert_eq!(scalar_effect("u64", "f64"), Effect::Loads);
        assert_eq!(scalar_effect("u64", "u32"), Effect::Depends);
        assert_eq!(scalar_effect("u64", "i64"), Effect::Depends);
        assert_eq!(scalar_effect("i8", "u64"), Effect::Depends);
        assert_eq!(scalar_effect("u64", "string"), Effect::Parks);
        assert_eq!(scalar_effect("string", "bool"), Effect::Parks);
    }
}
