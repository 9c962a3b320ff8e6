//! `Probe`: a deserializer that follows a path, and records the shape at its end.

use std::any::type_name;
use std::slice;

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use super::probe_error::ProbeError;
use super::sample::Sample;
use super::shape::{PathPart, ProbePlace, Shape, TypeName};

/// The name of a field and of a variant that no type has.
const UNKNOWN: &str = "a name of another build";

/// A deserializer that follows a path, and records the shape at its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe<'p>(pub(super) ProbePlace<'p>);

/// Implements methods that record a scalar.
macro_rules! scalars {
    ($($method:ident $name:literal)*) => {$(
        fn $method<V: Visitor<'de>>(self, _: V) -> Result<V::Value, ProbeError> {
            self.0.next(Shape::Scalar($name));
            Err(ProbeError::Stopped)
        }
    )*};
}

impl<'de> Deserializer<'de> for Probe<'_> {
    type Error = ProbeError;

    scalars! {
        deserialize_any "any"
        deserialize_bool "bool"
        deserialize_i8 "i8" deserialize_i16 "i16" deserialize_i32 "i32" deserialize_i64 "i64"
        deserialize_i128 "i128"
        deserialize_u8 "u8" deserialize_u16 "u16" deserialize_u32 "u32" deserialize_u64 "u64"
        deserialize_u128 "u128"
        deserialize_f32 "f32" deserialize_f64 "f64"
        deserialize_char "char"
        deserialize_str "string" deserialize_string "string" deserialize_identifier "string"
        deserialize_bytes "bytes" deserialize_byte_buf "bytes"
        deserialize_unit "()"
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, ProbeError> {
        self.0.next(Shape::Ignored);
        Err(ProbeError::Stopped)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ProbeError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ProbeError> {
        match self.0.next(Shape::Option) {
            Some((PathPart::Inner, rest)) => visitor.visit_some(Probe(rest)),
            _ => Err(ProbeError::Stopped),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ProbeError> {
        match self.0.next(Shape::Newtype) {
            Some((PathPart::Inner, rest)) => visitor.visit_newtype_struct(Probe(rest)),
            _ => Err(ProbeError::Stopped),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ProbeError> {
        match self.0.next(Shape::List) {
            Some((PathPart::Inner, rest)) => visitor.visit_seq(UpTo::new(0, rest)),
            _ => Err(ProbeError::Stopped),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, ProbeError> {
        match self.0.next(Shape::Tuple(length)) {
            Some((PathPart::Item(item), rest)) => visitor.visit_seq(UpTo::new(*item, rest)),
            _ => Err(ProbeError::Stopped),
        }
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
        match self.0.next(Shape::Map) {
            Some((PathPart::Key, rest)) => visitor.visit_map(OneEntry::at_key(rest)),
            Some((PathPart::Value, rest)) => visitor.visit_map(OneEntry::at_value(rest)),
            _ => Err(ProbeError::Stopped),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ProbeError> {
        let name = name_of::<V>(name);
        let shape = Shape::Struct { name, fields };
        fields_of(self.0, shape, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ProbeError> {
        let name = name_of::<V>(name);
        let shape = Shape::Enum { name, variants };
        match self.0.next(shape) {
            Some((PathPart::Variant(index), rest)) => {
                visitor.visit_enum(OneVariant(variants[*index], rest))
            }
            Some((PathPart::Unknown, rest)) => {
                let read = visitor.visit_enum(OneVariant(UNKNOWN, rest));
                if let Err(ProbeError::UnknownVariant(names)) = read {
                    rest.next(Shape::VariantNames(names));
                }
                read
            }
            _ => Err(ProbeError::Stopped),
        }
    }
}

fn name_of<'de, V: Visitor<'de>>(serde: &'static str) -> TypeName {
    let rust = type_name::<V::Value>();
    TypeName { rust, serde }
}

/// Follows a path to a field, or finds out whether a field may be missing, and its present name.
fn fields_of<'de, V: Visitor<'de>>(
    place: ProbePlace<'_>,
    shape: Shape,
    visitor: V,
) -> Result<V::Value, ProbeError> {
    match place.next(shape) {
        Some((PathPart::Field(name), rest)) => visitor.visit_map(FieldAccess(name, rest)),
        Some((PathPart::Unknown, rest)) => visitor.visit_map(FieldAccess(UNKNOWN, rest)),
        Some((PathPart::Only(names), rest)) => {
            let read = visitor.visit_map(&mut SampleFields(names.iter()));
            if read.is_ok() {
                rest.next(Shape::Default);
            }
            read
        }
        Some((PathPart::Twice(name), rest)) => {
            let names = [*name, *name];
            let mut samples = SampleFields(names.iter());
            let read = visitor.visit_map(&mut samples);
            // Before the second name, the error is that of a value.
            if let (Err(ProbeError::Duplicate(name)), []) = (&read, samples.0.as_slice()) {
                rest.next(Shape::FieldName(name));
            }
            read
        }
        _ => Err(ProbeError::Stopped),
    }
}

/// Samples, and the place after them, which is the last element.
struct UpTo<'p> {
    samples: usize,
    place: Option<ProbePlace<'p>>,
}

impl<'p> UpTo<'p> {
    const fn new(samples: usize, place: ProbePlace<'p>) -> Self {
        Self {
            samples,
            place: Some(place),
        }
    }
}

impl<'de> SeqAccess<'de> for UpTo<'_> {
    type Error = ProbeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, ProbeError> {
        if let Some(left) = self.samples.checked_sub(1) {
            self.samples = left;
            return seed.deserialize(Sample::NEW).map(Some);
        }
        // The place may be read without an error: a list would have more elements without end.
        match self.place.take() {
            Some(place) => seed.deserialize(Probe(place)).map(Some),
            None => Ok(None),
        }
    }
}

/// An entry of a map, with the place as its key or its value.
struct OneEntry<'p> {
    is_key: bool,
    place: ProbePlace<'p>,
}

impl<'p> OneEntry<'p> {
    const fn at_key(place: ProbePlace<'p>) -> Self {
        let is_key = true;
        Self { is_key, place }
    }

    const fn at_value(place: ProbePlace<'p>) -> Self {
        let is_key = false;
        Self { is_key, place }
    }
}

impl<'de> MapAccess<'de> for OneEntry<'_> {
    type Error = ProbeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, ProbeError> {
        let key = match self.is_key {
            true => seed.deserialize(Probe(self.place)),
            false => seed.deserialize(Sample::NEW),
        };
        key.map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, ProbeError> {
        seed.deserialize(Probe(self.place))
    }
}

/// One field of a struct.
struct FieldAccess<'p>(&'static str, ProbePlace<'p>);

impl<'de> MapAccess<'de> for FieldAccess<'_> {
    type Error = ProbeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, ProbeError> {
        seed.deserialize(StrDeserializer::new(self.0)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, ProbeError> {
        seed.deserialize(Probe(self.1))
    }
}

/// Samples of fields.
struct SampleFields<'f>(slice::Iter<'f, &'static str>);

impl<'de> MapAccess<'de> for &mut SampleFields<'_> {
    type Error = ProbeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, ProbeError> {
        let next = self.0.next();
        let name = next.map(|name| seed.deserialize(StrDeserializer::new(name)));
        name.transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, ProbeError> {
        seed.deserialize(Sample::NEW)
    }
}

/// One variant of an enum.
struct OneVariant<'p>(&'static str, ProbePlace<'p>);

impl<'de, 'p> EnumAccess<'de> for OneVariant<'p> {
    type Error = ProbeError;
    type Variant = ProbedVariant<'p>;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, ProbedVariant<'p>), ProbeError> {
        let variant = seed.deserialize(StrDeserializer::new(self.0))?;
        Ok((variant, ProbedVariant(self.1)))
    }
}

/// The contents of a variant.
struct ProbedVariant<'p>(ProbePlace<'p>);

impl<'de> VariantAccess<'de> for ProbedVariant<'_> {
    type Error = ProbeError;

    fn unit_variant(self) -> Result<(), ProbeError> {
        self.0.next(Shape::Unit);
        Err(ProbeError::Stopped)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<T::Value, ProbeError> {
        match self.0.next(Shape::Newtype) {
            Some((PathPart::Inner, rest)) => seed.deserialize(Probe(rest)),
            _ => Err(ProbeError::Stopped),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, ProbeError> {
        Probe(self.0).deserialize_tuple(length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ProbeError> {
        let name = TypeName {
            rust: "",
            serde: "",
        };
        let shape = Shape::Struct { name, fields };
        fields_of(self.0, shape, visitor)
    }
}
