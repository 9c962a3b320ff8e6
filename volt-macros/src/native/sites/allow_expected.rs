//! `AllowExpected`: the expected lints of a body whose awaits are marked.

use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Meta, parse_quote_spanned};

use crate::syntax::{contains_ident, is_step};

/// Allows the lints of clippy that are expected at statements: clippy is silent about some code in
/// which an await is marked, and the expectation would be unfulfilled. Removes `#[step]`, also from
/// places where the macro has reported it.
pub(super) struct AllowExpected;

impl VisitMut for AllowExpected {
    fn visit_attributes_mut(&mut self, attrs: &mut Vec<Attribute>) {
        attrs.retain(|attr| !is_step(attr));
        for attr in attrs {
            self.visit_attribute_mut(attr);
        }
    }

    fn visit_attribute_mut(&mut self, attr: &mut Attribute) {
        if let Meta::List(list) = &mut attr.meta
            && list.path.is_ident("expect")
            && contains_ident(list.tokens.clone(), "clippy")
        {
            list.path = parse_quote_spanned!(list.path.span()=> allow);
        }
    }
}
