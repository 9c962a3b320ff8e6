//! Locals, each by its number.

use proc_macro2::Ident;
use syn::Type;

/// A local: an argument, what a pattern binds, or a temporary of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct LocalId(pub(crate) usize);

/// An await of the function itself, in source order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct AwaitId(pub(crate) usize);

/// What is known of a local.
#[derive(Debug, Clone)]
pub(crate) struct LocalData {
    /// The name by which all expressions of the body mean it, and nothing else: `buf`, or `buf_2`.
    pub(crate) ident: Ident,
    /// The name that its user gave it.
    pub(crate) name: String,
    /// The type as it is written.
    pub(crate) ty: Option<Type>,
    pub(crate) mutable: bool,
    pub(crate) kind: LocalKind,
}

impl LocalData {
    /// Whether it is an argument of the function.
    pub(crate) fn is_argument(&self) -> bool {
        matches!(self.kind, LocalKind::Argument(_))
    }

    /// Whether it has no name in the source.
    pub(crate) fn is_hidden(&self) -> bool {
        self.is_temp() || matches!(self.kind, LocalKind::Receiver)
    }

    /// Whether it is the macro's own, and moved where it is named.
    pub(crate) fn is_temp(&self) -> bool {
        matches!(self.kind, LocalKind::Temp | LocalKind::Output(_))
    }
}

/// Where a local comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LocalKind {
    /// The argument with this index.
    Argument(usize),
    /// A `let` without a pattern.
    Let,
    /// A pattern that takes a value apart.
    Pattern,
    /// A pattern that says `ref`.
    Borrowed,
    /// The output of an await. It is moved where it is named.
    Output(AwaitId),
    /// The value of a construct that was taken apart. It is moved where it is named.
    Temp,
    /// The iterator of a `for`.
    Iterator,
    /// What a method of an awaited expression is called on.
    Receiver,
}
