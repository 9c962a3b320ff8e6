//! Locals, each with its number.

use proc_macro2::Ident;
use syn::Type;

/// A local: an argument, a binding of a pattern, or a temporary of the macro.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct LocalId(pub(crate) usize);

/// An await of the function itself, in source order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct AwaitId(pub(crate) usize);

/// The facts about a local.
#[derive(Debug, Clone)]
pub(crate) struct LocalData {
    /// The unique name of the local in all expressions of the body: `buf`, or `buf_2`.
    pub(crate) ident: Ident,
    /// The name in the source.
    pub(crate) name: String,
    /// The written type.
    pub(crate) ty: Option<Type>,
    pub(crate) mutable: bool,
    pub(crate) kind: LocalKind,
}

impl LocalData {
    /// Returns `true` for an argument of the function.
    pub(crate) fn is_argument(&self) -> bool {
        matches!(self.kind, LocalKind::Argument(_))
    }

    /// Returns `true` if it has no name in the source.
    pub(crate) fn is_hidden(&self) -> bool {
        self.is_temp() || matches!(self.kind, LocalKind::Receiver)
    }

    /// Returns `true` for a temporary of the macro, which is moved where it is named.
    pub(crate) fn is_temp(&self) -> bool {
        matches!(self.kind, LocalKind::Temp | LocalKind::Output(_))
    }
}

/// The origin of a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LocalKind {
    /// The argument with this index.
    Argument(usize),
    /// A `let` without a pattern.
    Let,
    /// A pattern that destructures a value.
    Pattern,
    /// A part of a matched value that its pattern does not name.
    Unnamed,
    /// A pattern with `ref`.
    Borrowed,
    /// The output of an await. It is moved where it is named.
    Output(AwaitId),
    /// The value of a lowered construct. It is moved where it is named.
    Temp,
    /// The iterator of a `for`.
    Iterator,
    /// The receiver in an awaited method chain.
    Receiver,
}
