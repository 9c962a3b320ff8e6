//! Which layout a function gets.

use proc_macro2::TokenStream;
use syn::ItemFn;

use super::explicit;
use crate::errors::{Became, Why, report};
use crate::native;
use crate::options::{Layout, Options};
use crate::signature::Method;
use crate::syntax::{has_wrong_jump, names_self};

/// The machine of a function, or of a method that was lifted out of its `impl`: what stands in its place, and what
/// stands beside that; and errors. It is explicit where nothing is in doubt, and native elsewhere. If the options ask
/// for what only an explicit machine has, each doubt is an error; callers have a native machine all the same.
pub(super) fn machine(
    item: &ItemFn,
    method: Option<&Method>,
    words: Option<&TokenStream>,
    options: &Options,
) -> ((TokenStream, TokenStream), Option<TokenStream>) {
    let native = |options: &Options, why: &Why| native::machine(item, method, words, options, why);
    if let Some((Layout::Native, span)) = options.layout {
        return (
            native(options, &Why::new("the option `native` is given", span)),
            None,
        );
    }
    let name = &item.sig.ident;
    if options.editor {
        let why = Why::new("an editor expands the attribute", name.span());
        return (native(&options.clone().of_native(), &why), None);
    }
    if is_wrong(item, method) {
        let why = Why::new("the compiler rejects the body", name.span());
        return (native(&options.clone().of_native(), &why), None);
    }
    match explicit::machine(item, method, options) {
        Ok(machine) => {
            report(name, Became::Explicit);
            (machine, None)
        }
        Err(doubts) if options.is_explicit() => {
            let machine = native(&options.clone().of_native(), &doubts.why(name));
            (machine, Some(doubts.to_compile_errors()))
        }
        Err(doubts) => (native(options, &doubts.why(name)), None),
    }
}

/// Returns `true` if the compiler rejects the body for certain. The native layout has the body
/// once, so the error is reported once.
fn is_wrong(item: &ItemFn, method: Option<&Method>) -> bool {
    let receiver = method.and_then(|method| method.original.sig.receiver());
    receiver.is_none() && names_self(&item.block) || has_wrong_jump(&item.block)
}
