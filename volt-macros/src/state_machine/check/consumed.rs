//! Methods of values without a name that may take these: the compiler is asked.

use proc_macro2::Span;
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall, parse_quote_spanned};

use super::lasting::Lasting;
use crate::state_machine::lending::is_constant;
use crate::state_machine::names::{self, path_at};
use crate::state_machine::taking::{Question, gives_guard, question};

/// Methods that do but look, by all custom: their type is asked what it leaves, and no more.
const LOOKING: &[&str] = &[
    "as_bytes",
    "as_mut",
    "as_ref",
    "as_slice",
    "as_str",
    "borrow",
    "borrow_mut",
    "bytes",
    "chars",
    "clone",
    "contains",
    "get",
    "is_empty",
    "is_err",
    "is_none",
    "is_ok",
    "is_some",
    "iter",
    "len",
    "lock",
    "read",
    "to_owned",
    "to_string",
    "trim",
    "write",
];

impl Lasting<'_> {
    /// Proves that a method takes what it is called on, or that nobody can tell. Whether that could be
    /// asked: the arguments have to mean the same anywhere.
    pub(super) fn is_consumed(&mut self, call: &mut ExprMethodCall) -> bool {
        let is_made = matches!(&*call.receiver, Expr::Call(_) | Expr::MethodCall(_));
        let is_asked = question(&call.method) == Question::Ask("left")
            && !LOOKING.iter().any(|name| call.method == name);
        let is_plain = call.args.iter().all(is_constant);
        if self.tail.is_some()
            || !is_made
            || !is_asked
            || !is_plain
            || gives_guard(&call.receiver, true)
        {
            return false;
        }
        self.value(&mut call.receiver);
        let span = Span::call_site().located_at(call.receiver.span());
        let volt = path_at(self.at.volt, span);
        let (it, value) = (names::local_at("it", span), names::local_at("value", span));
        let (receiver, method, turbofish) = (&call.receiver, &call.method, &call.turbofish);
        let args = &call.args;
        let asked = quote_spanned!(span=> #value.#method #turbofish(#args));
        *call.receiver = parse_quote_spanned! {span=>
            #volt::__private::consumed(#receiver, |#it| #it.left(), |#it| async move {
                let mut #value = #it.value();
                { let _ = #asked; }
                #volt::__private::Bare.await;
            })
        };
        true
    }
}
