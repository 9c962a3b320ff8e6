//! `CopiedFn`: a function with a linked copy, and the marks of the calls in the copy.

use proc_macro2::Ident;
use quote::format_ident;
use syn::{Expr, ExprMethodCall, ItemFn};

use crate::signature::Method;

/// The method of a machine that returns the future of its linked copy.
pub(in super::super) fn linked_mark() -> Ident {
    format_ident!("__volt_linked")
}

/// Returns the name of a function among the words of the package.
pub(in super::super) fn own_name(name: &Ident, method: Option<&Method>) -> String {
    let has_receiver = method.is_some_and(|it| it.original.sig.receiver().is_some());
    let point = if has_receiver { "." } else { "" };
    format!("{point}{name}")
}

/// Returns the method of a machine that returns the type of its linked copy.
pub(in super::super) fn copy_mark() -> Ident {
    format_ident!("__volt_copy")
}

/// A function with a linked copy.
#[derive(Clone, Copy)]
pub(in super::super) struct CopiedFn<'a> {
    pub(in super::super) item: &'a ItemFn,
    pub(in super::super) method: Option<&'a Method>,
    pub(in super::super) machine: &'a Ident,
}

impl CopiedFn<'_> {
    /// Returns the names of the function and its machine among the words of the package.
    pub(super) fn names(&self) -> [String; 2] {
        let own = own_name(&self.item.sig.ident, self.method);
        [own, self.machine.to_string()]
    }
}

/// The change of a linked call.
#[derive(Clone, Copy)]
pub(super) enum Change {
    /// The future of the copy replaces the machine.
    Mark,
    /// The call loses the name of its function.
    Remove,
}

/// Returns the last name of a path, and the text of the path. A type in angle brackets is left out.
pub(super) fn path_end(function: &Expr) -> Option<(&Ident, String)> {
    let Expr::Path(function) = function else {
        return None;
    };
    let segments = function.path.segments.iter().map(|it| it.ident.to_string());
    let segments: Vec<_> = segments.collect();
    let last = &function.path.segments.last()?.ident;
    let path = match function.qself {
        Some(_) => format!("::{last}"),
        None => segments.join("::"),
    };
    Some((last, path))
}

/// Returns the text of a method of a value.
pub(super) fn method_end(call: &ExprMethodCall) -> String {
    let is_own = matches!(&*call.receiver, Expr::Path(it) if it.path.is_ident("self"));
    format!("{}.{}", if is_own { "self" } else { "" }, call.method)
}
