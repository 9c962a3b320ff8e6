//! `hidden_secrets`: a JSON text for operators, without its secrets.

use serde_json::Value;

use super::secret::FIELD;

/// The text in place of a secret.
const HIDDEN: &str = "(secret)";

/// Returns the value of a JSON text without its secrets. A text that is no JSON is not shown.
pub(super) fn hidden_secrets(text: &str) -> Value {
    let Ok(mut value) = serde_json::from_str(text) else {
        return Value::String("(not JSON)".to_owned());
    };
    hide(&mut value);
    value
}

/// The depth is at most 128, because serde has read the value.
fn hide(value: &mut Value) {
    match value {
        Value::Object(members) if members.contains_key(FIELD) => *value = HIDDEN.into(),
        Value::Object(members) => members.values_mut().for_each(hide),
        Value::Array(values) => values.iter_mut().for_each(hide),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::hidden_secrets;
    use crate::operations::Secret;

    #[test]
    fn secrets_are_hidden_at_any_depth() {
        let secret = |text: &str| Secret::new(text.to_owned());
        let values = (7, secret("one"), [Some(secret("two"))], "shown");
        let text = serde_json::to_string(&json!({ "Paying": values })).expect("JSON");
        assert!(text.contains("two"));
        let read: (u32, Secret<String>, [Option<Secret<String>>; 1], String) =
            serde_json::from_value(json!(values)).expect("the values");
        assert_eq!(read.1.expose(), "one");
        let shown = hidden_secrets(&text);
        let expected = json!({ "Paying": [7, "(secret)", ["(secret)"], "shown"] });
        assert_eq!(shown, expected);
        assert_eq!(hidden_secrets("{"), "(not JSON)");
    }
}
