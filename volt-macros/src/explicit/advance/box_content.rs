//! Locals that are declared with a box of a known type, and awaited as a box of a `dyn Future`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::Expr;

use crate::explicit::explicit_machine::{ExplicitMachine, local_ident};
use crate::hir::{AwaitId, LocalId, LocalKind};

impl ExplicitMachine<'_> {
    /// Returns the statements that declare the types of these values.
    pub(super) fn value_types(&self) -> Vec<TokenStream> {
        let private = self.private();
        let locals = (0..self.body.locals.len()).map(LocalId);
        let known = locals.filter(|local| self.has_known_content(*local));
        let types = known.map(value_type);
        types
            .map(|ty| quote!(let #ty = #private::ValueType::new();))
            .collect()
    }

    /// Returns the value of a local. If the content of its box is known, the type of the value is
    /// inferred before the value is coerced.
    pub(crate) fn with_known_content(&self, local: LocalId, value: TokenStream) -> TokenStream {
        if !self.has_known_content(local) {
            return value;
        }
        let (known, ty) = (local_ident("value"), value_type(local));
        quote!({ let #known = #value; #ty.is(&#known); #known })
    }

    /// Returns `true` if the only value of a local is `Box::pin(..)`, its type is written, and it
    /// is awaited. The declared type may be a box of a `dyn Future`.
    pub(super) fn has_known_content(&self, local: LocalId) -> bool {
        let data = &self.body.locals[local.0];
        let is_declared_once = data.kind == LocalKind::Let && !data.mutable && data.ty.is_some();
        let is_awaited = |id: usize| {
            !self.layout.recreated[id]
                && self.body.local_of(self.body.operand(AwaitId(id))) == Some(local)
        };
        is_declared_once
            && self.typed.is_none()
            && (0..self.layout.resumes.len()).any(is_awaited)
            && self.value_of(local).is_some_and(is_pinned_box)
    }
}

/// Returns the name of the type of a local's value.
pub(super) fn value_type(local: LocalId) -> Ident {
    format_ident!("value_{}", local.0, span = Span::mixed_site())
}

/// Returns `true` for a call of `Box::pin`.
fn is_pinned_box(value: &Expr) -> bool {
    let Expr::Call(call) = value else {
        return false;
    };
    let Expr::Path(function) = &*call.func else {
        return false;
    };
    let mut names = function.path.segments.iter().rev().map(|part| &part.ident);
    names.next().is_some_and(|name| name == "pin") && names.next().is_some_and(|name| name == "Box")
}
