//! `ReadTrace`: how far a snapshot was read before an error.

use serde::de::value::StringDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Expected, IntoDeserializer,
    MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

/// How far a snapshot was read before an error.
#[derive(Debug, Default)]
pub(super) struct ReadTrace {
    /// The description of the state by its type, if the type has the state.
    pub(super) expected: Option<String>,
    /// The names of the values that the type reads in the state, with the older ones.
    pub(super) known: &'static [&'static str],
    /// The names of the values in the snapshot.
    pub(super) stored: Vec<String>,
    /// The name of the value whose type has returned the error.
    pub(super) current: Option<String>,
    /// `true` if all values of the snapshot were read.
    pub(super) is_at_end: bool,
}

impl ReadTrace {
    /// Reads a snapshot again, for its trace.
    pub(super) fn of<M: DeserializeOwned>(snapshot: &str) -> Self {
        let mut trace = Self::default();
        let mut reader = serde_json::Deserializer::from_str(snapshot);
        // The caller has the error already.
        let _ = M::deserialize(Traced(&mut reader, &mut trace));
        trace
    }
}

/// A part of serde's interface that records how far it is used.
struct Traced<'t, T>(T, &'t mut ReadTrace);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Traced<'_, D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0
            .deserialize_enum(name, variants, Traced(visitor, self.1))
    }

    // Each machine is an enum.
    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Traced<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.expecting(f)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<V::Value, A::Error> {
        self.0.visit_enum(Traced(data, self.1))
    }

    fn visit_map<A: MapAccess<'de>>(self, values: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(Traced(values, self.1))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, values: A) -> Result<V::Value, A::Error> {
        self.0.visit_seq(values)
    }
}

impl<'de, 't, A: EnumAccess<'de>> EnumAccess<'de> for Traced<'t, A> {
    type Error = A::Error;
    type Variant = Traced<'t, A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self::Variant), A::Error> {
        let (state, values) = self.0.variant_seed(seed)?;
        Ok((state, Traced(values, self.1)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Traced<'_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.0.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.0.newtype_variant_seed(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.0.tuple_variant(length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.1.known = fields;
        self.1.expected = Some((&visitor as &dyn Expected).to_string());
        self.0.struct_variant(fields, Traced(visitor, self.1))
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Traced<'_, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let Some(name) = self.0.next_key::<String>()? else {
            self.1.is_at_end = true;
            return Ok(None);
        };
        self.1.stored.push(name.clone());
        let name: StringDeserializer<A::Error> = name.into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let value = self.0.next_value_seed(seed);
        if value.is_err() {
            self.1.current = self.1.stored.last().cloned();
        }
        value
    }
}
