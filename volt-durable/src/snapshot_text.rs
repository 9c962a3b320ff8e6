//! `SnapshotText`: a snapshot as JSON, and the name of its state.

use std::any::Any;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A snapshot as JSON, and the name of its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SnapshotText {
    pub(crate) state: String,
    pub(crate) text: String,
}

impl SnapshotText {
    /// Writes a machine.
    pub(crate) fn of(machine: &impl Serialize) -> serde_json::Result<Self> {
        let text = serde_json::to_string(machine)?;
        let state = state_of(&text)?;
        Ok(Self { state, text })
    }
}

/// Returns the name of the state: the first string of the text. A state with values is an object
/// with the name as its only member, and one without values may be a string.
fn state_of(text: &str) -> serde_json::Result<String> {
    let name = text.strip_prefix('{').unwrap_or(text);
    let mut reader = serde_json::Deserializer::from_str(name);
    String::deserialize(&mut reader)
}

/// Returns the state of a snapshot and its values. A state without values may be a string.
pub(crate) fn state_and_values(snapshot: &str) -> Option<(String, Value)> {
    match serde_json::from_str(snapshot).ok()? {
        Value::String(state) => Some((state, Value::Object(Map::new()))),
        Value::Object(states) if states.len() == 1 => states.into_iter().next(),
        _ => None,
    }
}

/// Returns the text of a panic.
pub(crate) fn panic_text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a text")
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::SnapshotText;

    #[derive(Serialize)]
    enum Letter {
        Draft,
        #[serde(rename = "to \"Ada\"")]
        Sent {
            day: u8,
        },
    }

    #[test]
    fn state_is_the_variant() {
        let draft = SnapshotText::of(&Letter::Draft).expect("a text");
        assert_eq!(draft.state, "Draft");
        let sent = SnapshotText::of(&Letter::Sent { day: 3 }).expect("a text");
        assert_eq!(sent.state, "to \"Ada\"");
        assert_eq!(sent.text, r#"{"to \"Ada\"":{"day":3}}"#);
    }

    #[test]
    fn value_without_a_state_is_an_error() {
        assert!(SnapshotText::of(&[1, 2]).is_err());
    }
}
