//! `Sample`: a deserializer with one value of each form.

use serde::de::value::{MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, VariantAccess, Visitor,
};

use super::probe_error::ProbeError;

/// The largest depth of a sample. The first variant of an enum may contain the enum.
const DEPTH: u32 = 16;

/// A deserializer with one value of each form. It is not zero, because some types reject that.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    depth: u32,
}

impl Sample {
    pub(super) const NEW: Self = Self { depth: 0 };

    fn deeper(self) -> Result<Self, ProbeError> {
        let depth = self.depth + 1;
        (depth < DEPTH)
            .then_some(Self { depth })
            .ok_or(ProbeError::Stopped)
    }
}

impl IntoDeserializer<'_, ProbeError> for Sample {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Implements methods by a call of the visitor.
macro_rules! samples {
    ($($method:ident => $visit:ident($($value:expr)?);)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ProbeError> {
            visitor.$visit($($value)?)
        }
    )*};
}

impl<'de> Deserializer<'de> for Sample {
    type Error = ProbeError;

    samples! {
        deserialize_any => visit_u64(1);
        deserialize_bool => visit_bool(true);
        deserialize_i8 => visit_i8(1);
        deserialize_i16 => visit_i16(1);
        deserialize_i32 => visit_i32(1);
        deserialize_i64 => visit_i64(1);
        deserialize_i128 => visit_i128(1);
        deserialize_u8 => visit_u8(1);
        deserialize_u16 => visit_u16(1);
        deserialize_u32 => visit_u32(1);
        deserialize_u64 => visit_u64(1);
        deserialize_u128 => visit_u128(1);
        deserialize_f32 => visit_f32(1.0);
        deserialize_f64 => visit_f64(1.0);
        deserialize_char => visit_char('1');
        deserialize_str => visit_str("1");
        deserialize_string => visit_str("1");
        deserialize_identifier => visit_str("1");
        deserialize_bytes => visit_bytes(&[]);
        deserialize_byte_buf => visit_bytes(&[]);
        deserialize_option => visit_none();
        deserialize_unit => visit_unit();
        deserialize_ignored_any => visit_unit();
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ProbeError> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ProbeError> {
        visitor.visit_newtype_struct(self.deeper()?)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ProbeError> {
        visitor.visit_seq(SeqDeserializer::new(std::iter::empty::<Self>()))
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, ProbeError> {
        let values = std::iter::repeat_n(self.deeper()?, length);
        visitor.visit_seq(SeqDeserializer::new(values))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, ProbeError> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ProbeError> {
        visitor.visit_map(MapDeserializer::new(std::iter::empty::<(Self, Self)>()))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ProbeError> {
        let value = self.deeper()?;
        let fields = fields.iter().map(|field| (*field, value));
        visitor.visit_map(MapDeserializer::new(fields))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ProbeError> {
        let first = variants.first().ok_or(ProbeError::Stopped)?;
        visitor.visit_enum(SampleVariant(first, self.deeper()?))
    }
}

/// The first variant of an enum.
struct SampleVariant(&'static str, Sample);

impl<'de> EnumAccess<'de> for SampleVariant {
    type Error = ProbeError;
    type Variant = Sample;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Sample), ProbeError> {
        let name = StrDeserializer::new(self.0);
        Ok((seed.deserialize(name)?, self.1))
    }
}

impl<'de> VariantAccess<'de> for Sample {
    type Error = ProbeError;

    fn unit_variant(self) -> Result<(), ProbeError> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<T::Value, ProbeError> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, ProbeError> {
        self.deserialize_tuple(length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ProbeError> {
        self.deserialize_struct("", fields, visitor)
    }
}
