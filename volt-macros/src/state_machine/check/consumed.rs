//! Methods of values without a name that may take these: the compiler is asked.

use proc_macro2::Span;
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall, parse_quote_spanned};

use super::lasting::Lasting;
use crate::state_machine::lending::is_constant;
use crate::state_machine::names::{self, path_at};
use crate::state_machine::taking::{Question, question};

/// Methods that make something of a builder, by custom. What others give may be told by what is done
/// with it, and cannot be asked about alone.
const BUILDING: &[&str] = &["build", "complete", "create", "done", "end", "finish"];

impl Lasting<'_> {
    /// Proves that a method of a builder takes what it is called on, or that nobody can tell. Whether that
    /// could be asked: the arguments have to mean the same anywhere.
    pub(super) fn is_consumed(&mut self, call: &mut ExprMethodCall) -> bool {
        let builds = std::mem::take(&mut self.builds);
        let builds = builds || BUILDING.iter().any(|name| call.method == name);
        let is_made = matches!(&*call.receiver, Expr::Call(_) | Expr::MethodCall(_));
        let is_asked = builds && question(&call.method) == Question::Ask("left");
        let is_plain = call.args.iter().all(is_constant);
        if self.lives_on() || !is_made || !is_asked || !is_plain {
            return false;
        }
        self.builds = matches!(&*call.receiver, Expr::MethodCall(_));
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
