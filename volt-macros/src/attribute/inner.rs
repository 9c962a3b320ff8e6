//! Attributes that stand around a function's body, put in front of the function.
//!
//! `async fn f() { #![warn(..)] .. }`: what becomes of the function is written with its attributes
//! in front, where an inner one is an error. They mean the same there. The conditions and lints of an
//! `impl` hold for what becomes of its methods, which stands beside the block. What is expected of clippy is allowed: it
//! says less of what an attribute writes, and then the compiler would say that nothing came.

use proc_macro2::Ident;
use syn::{AttrStyle, Attribute, ImplItem, ItemImpl, Meta};

use crate::syntax::holds_word;

/// Makes inner attributes outer ones.
pub(super) fn put_outside(attrs: &mut [Attribute]) {
    for attr in attrs {
        attr.style = AttrStyle::Outer;
        if let Meta::List(list) = &mut attr.meta
            && let Some(expect) = list.path.segments.first_mut()
            && expect.ident == "expect"
            && holds_word(list.tokens.clone(), "clippy")
        {
            expect.ident = Ident::new("allow", expect.ident.span());
        }
    }
}

/// The same for each method of a block, which also gets what holds for the block.
pub(super) fn put_outside_in(block: &mut ItemImpl) {
    const FOR_ALL: &[&str] = &["cfg", "allow", "warn", "deny"];
    put_outside(&mut block.attrs);
    let is_for_all = |attr: &&Attribute| FOR_ALL.iter().any(|name| attr.path().is_ident(name));
    let of_block: Vec<Attribute> = block.attrs.iter().filter(is_for_all).cloned().collect();
    for item in &mut block.items {
        let ImplItem::Fn(method) = item else { continue };
        put_outside(&mut method.attrs);
        if method.sig.asyncness.is_some() {
            method.attrs.splice(0..0, of_block.iter().cloned());
        }
    }
}
