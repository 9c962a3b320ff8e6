//! Attributes that stand around a function's body, put in front of the function.
//!
//! `async fn f() { #![warn(..)] .. }`: what becomes of the function is written with its attributes
//! in front, where an inner one is an error. They mean the same there. The conditions and lints of
//! an `impl` hold for the machines of its methods, which are beside the block. So does
//! `doc(hidden)`.

use quote::ToTokens;
use syn::{AttrStyle, Attribute, ImplItem, ItemImpl};

use super::expected::{allow_all, split};
use crate::syntax::holds_word;

/// Makes inner attributes outer ones, and splits those that expect lints.
pub(super) fn put_outside(attrs: &mut Vec<Attribute>) {
    for attr in &mut *attrs {
        attr.style = AttrStyle::Outer;
    }
    *attrs = split(std::mem::take(attrs));
}

/// The same for each method of a block, which also gets what holds for the block.
pub(super) fn put_outside_in(block: &mut ItemImpl) {
    for attr in &mut block.attrs {
        attr.style = AttrStyle::Outer;
    }
    allow_all(&mut block.attrs);
    let of_block: Vec<Attribute> = block.attrs.iter().filter(is_for_all).cloned().collect();
    for item in &mut block.items {
        let ImplItem::Fn(method) = item else { continue };
        put_outside(&mut method.attrs);
        if method.sig.asyncness.is_some() {
            method.attrs.splice(0..0, of_block.iter().cloned());
        }
    }
}

/// Returns `true` for an attribute of a block that holds for its methods.
fn is_for_all(attr: &&Attribute) -> bool {
    const FOR_ALL: &[&str] = &["cfg", "allow", "warn", "deny"];
    let is_hidden = || holds_word(attr.to_token_stream(), "hidden");
    FOR_ALL.iter().any(|name| attr.path().is_ident(name))
        || attr.path().is_ident("doc") && is_hidden()
}
