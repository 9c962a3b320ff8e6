//! `Form`: the form of a stored value, as serde reads it.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The form of a stored value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Form {
    /// The value or `null`.
    Option(Box<Form>),
    /// Any number of values.
    List(Box<Form>),
    /// Any number of keys with values.
    Map(Box<(Form, Form)>),
    /// This number of values.
    Tuple(Vec<Form>),
    /// A field that may be missing.
    Default(Box<Form>),
    /// No field: an older name of this field, which is read and never stored.
    Was(String),
    /// A type of serde, such as `u64`, or the name of a definition.
    #[serde(untagged)]
    Name(String),
}

/// The forms of fields by their names.
pub(super) type Fields = BTreeMap<String, Form>;

/// The definition of a type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Definition {
    /// Fields with names. Other fields are ignored.
    Struct(Fields),
    /// Fields with names. Another field is an error.
    Strict(Fields),
    /// One of several variants.
    Enum(BTreeMap<String, Variant>),
}

/// The contents of a variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Variant {
    /// None.
    Unit,
    /// One value.
    Value(Form),
    /// Several values.
    Tuple(Vec<Form>),
    /// Fields with names. Other fields are ignored.
    Struct(Fields),
    /// Fields with names. Another field is an error.
    Strict(Fields),
    /// An older name of another variant with these contents, which is read and never stored.
    Older(Box<Variant>),
}

/// The definitions of types by their names.
pub(super) type Types = BTreeMap<String, Definition>;

impl Form {
    pub(super) fn name(name: impl Into<String>) -> Self {
        Self::Name(name.into())
    }

    /// Returns the form of a field's value, and `true` if the field may be missing.
    pub(super) fn of_field(&self) -> (&Self, bool) {
        match self {
            Self::Default(form) => (form, true),
            Self::Option(_) => (self, true),
            _ => (self, false),
        }
    }
}

/// Writes the form as a type, such as `[u64]`.
impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option(form) => write!(f, "Option<{form}>"),
            Self::List(form) => write!(f, "[{form}]"),
            Self::Map(entry) => write!(f, "{{{}: {}}}", entry.0, entry.1),
            Self::Tuple(forms) => {
                let forms: Vec<String> = forms.iter().map(ToString::to_string).collect();
                write!(f, "({})", forms.join(", "))
            }
            Self::Default(form) => form.fmt(f),
            Self::Was(name) | Self::Name(name) => f.write_str(name),
        }
    }
}
