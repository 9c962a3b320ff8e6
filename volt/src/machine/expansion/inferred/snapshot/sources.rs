//! The sources of values: a map by names, or a sequence in the order of the fields.

use core::any::type_name;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use super::super::modes::StorageForm;

/// The fields of a state.
#[derive(Clone, Copy)]
pub(super) struct Fields<'f> {
    pub(super) names: &'static [&'static str],
    pub(super) older: OlderFields,
    /// Returns `true` if the field with an index has a value in this state.
    pub(super) is_stored: &'f dyn Fn(usize) -> bool,
}

/// The names that fields had in older builds, each with the index of its field.
#[derive(Clone, Copy)]
pub(super) struct OlderFields {
    pub(super) names: &'static [&'static str],
    pub(super) indices: &'static [usize],
}

impl OlderFields {
    fn index_of(self, name: &[u8]) -> Option<usize> {
        let mut names = self.names.iter();
        let older = names.position(|older| older.as_bytes() == name)?;
        self.indices.get(older).copied()
    }
}

/// A source of values.
pub(super) trait Source {
    type Error: Error;

    /// Returns the index of the field whose value is next.
    fn next_field(&mut self, fields: Fields<'_>) -> Result<Option<usize>, Self::Error>;

    /// Reads the next value, which has this name.
    fn value<T, F: StorageForm<T>>(&mut self, name: &'static str) -> Result<T, Self::Error>;
}

/// Reads a value in its form.
struct FormSeed<T, F>(PhantomData<fn() -> (T, F)>);

impl<'de, T, F: StorageForm<T>> DeserializeSeed<'de> for FormSeed<T, F> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        F::deserialize(deserializer)
    }
}

/// A map. Keys that are no field of the state are ignored, as by serde's own derive.
pub(super) struct NamedValues<'de, A>(pub(super) A, pub(super) PhantomData<fn() -> &'de ()>);

impl<'de, A: MapAccess<'de>> Source for NamedValues<'de, A> {
    type Error = A::Error;

    fn next_field(&mut self, fields: Fields<'_>) -> Result<Option<usize>, A::Error> {
        while let Some(found) = self.0.next_key_seed(FieldName(fields))? {
            if found.is_some() {
                return Ok(found);
            }
            self.0.next_value::<IgnoredAny>()?;
        }
        Ok(None)
    }

    /// The errors of formats with names have the name and the type of the value. Other formats have
    /// error codes, which a text would replace.
    fn value<T, F: StorageForm<T>>(&mut self, name: &'static str) -> Result<T, A::Error> {
        let value = self.0.next_value_seed(FormSeed::<T, F>(PhantomData));
        let ty = type_name::<T>();
        value.map_err(|error| A::Error::custom(format_args!("`{name}` of type `{ty}`: {error}")))
    }
}

/// A sequence, as in compact formats.
pub(super) struct OrderedValues<'de, A> {
    values: A,
    next: usize,
    of: PhantomData<fn() -> &'de ()>,
}

impl<A> OrderedValues<'_, A> {
    pub(super) fn new(values: A) -> Self {
        Self {
            values,
            next: 0,
            of: PhantomData,
        }
    }
}

impl<'de, A: SeqAccess<'de>> Source for OrderedValues<'de, A> {
    type Error = A::Error;

    fn next_field(&mut self, fields: Fields<'_>) -> Result<Option<usize>, A::Error> {
        let count = fields.names.len();
        let found = (self.next..count).find(|index| (fields.is_stored)(*index));
        self.next = found.map_or(count, |index| index + 1);
        Ok(found)
    }

    fn value<T, F: StorageForm<T>>(&mut self, _: &'static str) -> Result<T, A::Error> {
        let value = self
            .values
            .next_element_seed(FormSeed::<T, F>(PhantomData))?;
        value.ok_or_else(|| A::Error::invalid_length(self.next - 1, &"a value of each local"))
    }
}

/// The index of a field, by its name.
struct FieldName<'f>(Fields<'f>);

impl<'de> DeserializeSeed<'de> for FieldName<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<usize>, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for FieldName<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a local")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Option<usize>, E> {
        self.visit_bytes(name.as_bytes())
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<Option<usize>, E> {
        let Fields {
            names,
            older,
            is_stored,
        } = self.0;
        let found = names.iter().position(|field| field.as_bytes() == name);
        let found = found.or_else(|| older.index_of(name));
        Ok(found.filter(|index| is_stored(*index)))
    }

    fn visit_u64<E: Error>(self, index: u64) -> Result<Option<usize>, E> {
        let Fields {
            names, is_stored, ..
        } = self.0;
        let found = usize::try_from(index).ok();
        Ok(found.filter(|index| *index < names.len() && is_stored(*index)))
    }
}

/// The input of a field of type `T` that is missing: `None`, or an error with the name of the type.
pub(super) struct MissingField<T, E>(
    pub(super) &'static str,
    pub(super) PhantomData<fn() -> (T, E)>,
);

impl<'de, T, E: Error> Deserializer<'de> for MissingField<T, E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, E> {
        let (name, ty) = (self.0, type_name::<T>());
        Err(E::custom(format_args!(
            "missing field `{name}` of type `{ty}`"
        )))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
