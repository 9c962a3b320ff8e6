//! Awaits in arguments of macros that are known: where they are evaluated, and what ends before the rest.

use syn::Macro;

use super::awaits::has_await;
use super::body::Stmt;
use super::lower::Lower;
use super::operands::used_arguments;
use crate::doubt::Reason;
use crate::syntax::{Arguments, can_be_said, say_as_before};

impl Lower<'_> {
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
            self.hoist_unnamed(condition, out);
        }
        self.hoist_each(used_arguments(&mut arguments), out);
        mac.tokens = arguments.tokens();
        say_as_before(mac, before);
    }
}

/// Whether only conditions of an assertion wait: it evaluates its message if it fails, and what other macros are given
/// without a name ends with the macro.
fn always_evaluates(arguments: &Arguments) -> bool {
    let conditions = arguments.conditions().unwrap_or_default();
    !arguments.values().skip(conditions).any(has_await)
}
