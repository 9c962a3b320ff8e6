//! The catalogue of what is refused in any layout.

use crate::names;

/// What no machine can be made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    NotAsync,
    Receiver,
    UnnamedSelf,
    NameOfBlock,
    NothingAsync,
    OfTrait,
    VisOfMethod,
    Qualifier,
    UnreadFunction,
    DerivedNative,
    UnboxedRecursion,
    UnboxedCircle,
}

impl Rule {
    /// The name of the rule's place in the book: `not-async` for `NotAsync`.
    pub(super) fn anchor(self) -> String {
        names::kebab(&format!("{self:?}"))
    }
}
