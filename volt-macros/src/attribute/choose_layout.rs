//! The layout of each function.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemFn;

use super::recover::snapshot_stub;
use crate::backend;
use crate::errors::{NativeReason, Outcome, report, report_expansion};
use crate::native;
use crate::options::{LayoutOption, Options};
use crate::pipeline::explicit_machine;
use crate::signature::{FunctionTokens, Method, Signature};
use crate::syntax::{
    has_forgotten_await, has_invalid_jump, has_wrong_item, has_wrong_name, names_self,
};

/// The expansion of one function.
pub(super) struct Expansion {
    /// The function that creates the machine, in place of the user's.
    pub(super) function: TokenStream,
    /// The machine and other items, beside the function or its `impl`.
    pub(super) items: TokenStream,
    pub(super) errors: Option<TokenStream>,
}

/// Expands a function, or a method that was moved out of its `impl`, and reports the expansion.
pub(super) fn expand_function(
    item: &ItemFn,
    method: Option<&Method>,
    tokens: Option<&FunctionTokens>,
    options: &Options,
) -> Expansion {
    let expansion = expand_in_layout(item, method, tokens, options);
    report_expansion(&item.sig.ident, &expansion.function, &expansion.items);
    expansion
}

/// Chooses the layout, and returns the expansion in it.
///
/// The machine is explicit if there is no fallback reason, and native otherwise. If an option
/// requires the explicit layout, each reason is an error; callers have a native machine all the
/// same, with the traits of a durable one. `tokens` are those from which `item` was parsed.
fn expand_in_layout(
    item: &ItemFn,
    method: Option<&Method>,
    tokens: Option<&FunctionTokens>,
    options: &Options,
) -> Expansion {
    let native = |options: &Options, why: &NativeReason| -> Expansion {
        let machine = native::machine(item, method, tokens, options, why);
        machine.into()
    };
    let refused = |native: Expansion, errors: TokenStream| -> Expansion {
        let stub = snapshot_stub(item, method, options);
        let items = native.items;
        Expansion {
            errors: Some(errors),
            items: quote!(#items #stub),
            ..native
        }
    };
    let name = &item.sig.ident;
    if let Some(errors) = backend::check_steps(&item.block, options) {
        let why = NativeReason::new("the attribute reports an error", name.span());
        return refused(native(&options.clone().of_native(), &why), errors);
    }
    if let Some((LayoutOption::Native, span)) = options.layout {
        return native(
            options,
            &NativeReason::new("the option `native` is given", span),
        );
    }
    if options.prefers_native && has_shape_of_native(item, method, options) {
        let why = NativeReason::new("`VOLT_LAYOUT` is `native`", name.span());
        return native(options, &why);
    }
    if options.editor {
        let why = NativeReason::new("an editor expands the attribute", name.span());
        return native(&options.clone().of_native(), &why);
    }
    if is_rejected_by_rustc(item, method) {
        let why = NativeReason::new("the compiler rejects the body", name.span());
        return native(&options.clone().of_native(), &why);
    }
    match explicit_machine(item, method, tokens, options) {
        Ok(machine) => {
            report(name, Outcome::Explicit);
            machine.into()
        }
        Err(fallbacks) if options.is_explicit() => {
            let why = fallbacks.native_reason(name);
            let native = native(&options.clone().of_native(), &why);
            refused(native, fallbacks.to_compile_errors())
        }
        Err(fallbacks) => native(options, &fallbacks.native_reason(name)),
    }
}

impl From<(TokenStream, TokenStream)> for Expansion {
    fn from((function, items): (TokenStream, TokenStream)) -> Self {
        Self {
            function,
            items,
            errors: None,
        }
    }
}

/// Returns `true` if the type of the machine has the same parameters in both layouts, and no option
/// depends on the layout. A generic native machine has a parameter for its coroutine.
fn has_shape_of_native(item: &ItemFn, method: Option<&Method>, options: &Options) -> bool {
    !options.depends_on_layout() && !Signature::of(item, method).is_generic()
}

/// Returns `true` if the compiler rejects the body for certain. The native layout has the body
/// once, so the error is reported once.
fn is_rejected_by_rustc(item: &ItemFn, method: Option<&Method>) -> bool {
    let receiver = method.and_then(|method| method.original.sig.receiver());
    receiver.is_none() && names_self(&item.block)
        || has_invalid_jump(&item.block)
        || has_wrong_name(item, receiver.is_some())
        || has_forgotten_await(item)
        || has_wrong_item(item)
}

#[cfg(test)]
mod tests;
