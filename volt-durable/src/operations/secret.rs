//! `Secret`: a value that lists of machines do not show.

use std::fmt;

use serde::de::{Deserializer, Error as _};
use serde::ser::{SerializeStruct, Serializer};
use serde::{Deserialize, Serialize};

/// The name of the field of a [`Secret`] in a snapshot.
pub(super) const FIELD: &str = "$secret";

/// A value that lists of machines do not show.
///
/// It is stored as it is, in an object with the key `$secret`. So programs without the type of the
/// machine recognize it. [`Row::values`](crate::store::Row::values), `Serialize` of a row, `Debug`
/// of the secret, and the error of one that cannot be read hide it.
///
/// # Examples
///
/// ```
/// let token = volt_durable::Secret::new("sk_live_1".to_owned());
/// assert_eq!(token.expose(), "sk_live_1");
/// assert_eq!(format!("{token:?}"), "Secret(..)");
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    /// Creates a secret.
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// Returns the value.
    pub const fn expose(&self) -> &T {
        &self.0
    }

    /// Returns the value.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> From<T> for Secret<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl<T: Serialize> Serialize for Secret<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Secret", 1)?;
        object.serialize_field(FIELD, &self.0)?;
        object.end()
    }
}

/// The form of a secret in a snapshot.
#[derive(Deserialize)]
#[serde(rename = "Secret")]
struct StoredSecret<T> {
    #[serde(rename = "$secret")]
    value: T,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Secret<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The error of the value may contain it.
        let stored = StoredSecret::deserialize(deserializer);
        let stored = stored.map_err(|_| D::Error::custom("a secret is stored in another form"))?;
        Ok(Self(stored.value))
    }
}
