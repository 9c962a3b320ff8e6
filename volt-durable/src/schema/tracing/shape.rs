//! `Shape`: the form that a type expects at the end of a path, without its parts.

use std::cell::Cell;

/// The name of a type.
///
/// Two types can have one name of Rust here: `SystemTime` is read by the visitor of a `Duration`.
/// Two types can also have one name of serde, in two modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TypeName {
    /// The name of the visitor's value.
    pub(super) rust: &'static str,
    /// The name that the implementation passes to the deserializer.
    pub(super) serde: &'static str,
}

/// The form that a type expects, without its parts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    Scalar(&'static str),
    Option,
    /// The value in a struct without a name for it.
    Newtype,
    List,
    Map,
    Tuple(usize),
    Struct {
        name: TypeName,
        fields: &'static [&'static str],
    },
    Enum {
        name: TypeName,
        variants: &'static [&'static str],
    },
    /// A variant without values.
    Unit,
    /// A field that may be missing.
    Default,
    /// The present name of a field.
    FieldName(&'static str),
    /// The present names of the variants.
    VariantNames(&'static [&'static str]),
    /// A field that the type does not read.
    Ignored,
}

/// A part of a path.
#[derive(Clone, Debug)]
pub(super) enum PathPart {
    /// The value of an `Option`, of a newtype or of a variant, and the elements of a list.
    Inner,
    Key,
    Value,
    Item(usize),
    Field(&'static str),
    /// Only these fields.
    Only(Vec<&'static str>),
    /// The same field twice.
    Twice(&'static str),
    /// A field or a variant that the type does not have.
    Unknown,
    Variant(usize),
}

/// The path that is left, and the place for the result.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProbePlace<'p> {
    pub(super) path: &'p [PathPart],
    pub(super) shape: &'p Cell<Option<Shape>>,
}

impl<'p> ProbePlace<'p> {
    /// Returns the next part and the place behind it. At the end of the path, it records the shape.
    pub(super) fn next(self, shape: Shape) -> Option<(&'p PathPart, Self)> {
        match self.path.split_first() {
            Some((part, path)) => Some((part, Self { path, ..self })),
            None => {
                self.shape.set(Some(shape));
                None
            }
        }
    }
}
