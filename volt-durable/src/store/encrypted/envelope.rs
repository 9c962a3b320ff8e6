//! The form of an encrypted value: a JSON object with one member, as databases require JSON.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::cipher::{Cipher, CipherError, ValueKind};
use crate::store::family::{CANCEL, CHILD_KEY};

/// The name of the member.
const FIELD: &str = "$encrypted";

/// The name of the member with the outcome in the report of a child.
const DONE: &str = "done";

/// Encrypts a JSON text.
pub(super) fn encrypted(
    cipher: &dyn Cipher,
    kind: ValueKind,
    text: &str,
) -> Result<String, CipherError> {
    let bytes = cipher.encrypt(kind, text.as_bytes())?;
    Ok(json!({ FIELD: STANDARD.encode(bytes) }).to_string())
}

/// Decrypts a JSON text. One that is not encrypted is an error: it could be forged.
pub(super) fn decrypted(
    cipher: &dyn Cipher,
    kind: ValueKind,
    text: &str,
) -> Result<String, CipherError> {
    let encoded = encoded(text).ok_or("it is not encrypted")?;
    let bytes = cipher.decrypt(kind, &STANDARD.decode(encoded)?)?;
    Ok(String::from_utf8(bytes)?)
}

/// Decrypts the body of a message. The reports of stores are plain, except for their outcomes.
pub(super) fn decrypted_body(
    cipher: &dyn Cipher,
    name: &str,
    body: &str,
) -> Result<String, CipherError> {
    if is_report(name, body) {
        return Ok(body.to_owned());
    }
    if let Some(outcome) = reported_outcome(body) {
        let outcome = decrypted(cipher, ValueKind::Outcome, &outcome)?;
        return Ok(format!("{{\"{DONE}\":{outcome}}}"));
    }
    decrypted(cipher, ValueKind::Message, body)
}

/// Returns `true` if a JSON text is encrypted.
pub(crate) fn is_encrypted(text: &str) -> bool {
    encoded(text).is_some()
}

/// Returns the encoded bytes of an encrypted text.
fn encoded(text: &str) -> Option<String> {
    match only_member(text, FIELD)? {
        Value::String(encoded) => Some(encoded),
        _ => None,
    }
}

/// Returns the outcome in the report of a child that has returned.
fn reported_outcome(body: &str) -> Option<String> {
    only_member(body, DONE).map(|outcome| outcome.to_string())
}

/// Returns the value of an object's only member, if it has this name.
fn only_member(text: &str, name: &str) -> Option<Value> {
    match serde_json::from_str(text).ok()? {
        Value::Object(mut members) if members.len() == 1 => members.remove(name),
        _ => None,
    }
}

/// Returns `true` for a message that is not encrypted, because stores write it too: a cancellation,
/// a cancelled child, and a parked child.
pub(super) fn is_report(name: &str, body: &str) -> bool {
    match serde_json::from_str(body) {
        Ok(Value::Null) => name == CANCEL,
        Ok(Value::String(text)) => {
            name.starts_with(CHILD_KEY) && (text == "cancelled" || name.ends_with("/parked"))
        }
        _ => false,
    }
}
