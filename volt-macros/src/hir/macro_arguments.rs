//! Awaits in arguments of macros that are known: where they are evaluated, and what ends before the rest.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Expr, ExprMacro, Macro, parse_quote_spanned};

use super::awaits::has_await;
use super::body::{Stmt, Value};
use super::lower::Lower;
use super::operands::used_arguments;
use crate::doubt::Reason;
use crate::syntax::{Arguments, can_be_said, say_as_before};

impl Lower<'_> {
    /// `debug_assert!(c)` is `if cfg!(debug_assertions) { debug_assert!(c); }`, where `c` is evaluated.
    pub(super) fn debug_value(&mut self, node: ExprMacro) -> Value {
        let span = Span::mixed_site().located_at(node.span());
        let condition = parse_quote_spanned!(span=> ::core::cfg!(debug_assertions));
        let mut stmts = Vec::new();
        let value = self.in_chain(true, &mut stmts, |this, own| {
            let mut within = Expr::Macro(node);
            this.hoist_operands(&mut within, own);
            own.push(Stmt::Eval(Value::Whole(this.whole(within))));
            None
        });
        stmts.extend(value.map(Stmt::Eval));
        Value::If {
            condition: self.whole(condition),
            binds: Vec::new(),
            then: self.scope(stmts, None),
            otherwise: None,
        }
    }

    pub(super) fn hoist_arguments(&mut self, mac: &mut Macro, out: &mut Vec<Stmt>) {
        let Some(mut arguments) = Arguments::of(mac) else {
            return;
        };
        if !always_evaluates(&arguments) || !can_be_said(mac) {
            self.doubts.note(Reason::AwaitInMacro, mac);
        }
        let before = mac.tokens.clone();
        // What the one condition of an assertion leaves ends before the message is made.
        if arguments.conditions() == Some(1)
            && let Some(condition) = arguments.values_mut().next()
        {
            self.hoist_bool(condition, out);
        }
        self.hoist_each(used_arguments(&mut arguments), out);
        mac.tokens = arguments.tokens();
        say_as_before(mac, before);
    }
}

/// Whether the macro evaluates all of its arguments that wait: an assertion evaluates its message if it fails.
/// Around those that evaluate nothing in a release stands a branch already.
fn always_evaluates(arguments: &Arguments) -> bool {
    let Some(conditions) = arguments.conditions() else {
        return true;
    };
    !arguments.values().skip(conditions).any(has_await)
}
