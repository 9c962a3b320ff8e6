//! The name of a machine's type and of its states, which its `Deserialize` implementation has.

use serde::de::value::Error;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;

use crate::store::KnownType;

/// Returns the names of a type of machines and of its states, or `None` if serde does not read it
/// as an enum.
pub(crate) fn known_type_of<M: DeserializeOwned>() -> Option<KnownType> {
    let mut names = None;
    // The result is always an error, because there is no value.
    let _ = M::deserialize(NamesReader(&mut names));
    let (name, states) = names?;
    Some(KnownType {
        name: name.to_owned(),
        states: states.iter().map(ToString::to_string).collect(),
    })
}

/// Returns the name of a type of machines.
///
/// # Panics
///
/// Panics if serde does not read the type as an enum.
#[track_caller]
pub(crate) fn type_name_of<M: DeserializeOwned>() -> String {
    let known = known_type_of::<M>();
    known.expect("a machine that serde reads as an enum").name
}

/// The name of an enum and of its variants.
type Names = (&'static str, &'static [&'static str]);

/// Records the names of an enum, and has no value.
struct NamesReader<'n>(&'n mut Option<Names>);

impl<'de> Deserializer<'de> for NamesReader<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("not an enum"))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        *self.0 = Some((name, variants));
        Err(Error::custom("no value"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::known_type_of;

    #[derive(Deserialize)]
    enum Letter {
        #[serde(rename = "start")]
        Start {},
        Sent {
            _to: String,
        },
    }

    #[test]
    fn names_are_read_from_serde() {
        let known = known_type_of::<Letter>().expect("an enum");
        assert_eq!(known.name, "Letter");
        assert_eq!(known.states, ["start", "Sent"]);
    }

    #[test]
    fn type_without_states_has_no_names() {
        assert_eq!(known_type_of::<Vec<u8>>(), None);
        assert_eq!(known_type_of::<String>(), None);
    }
}
