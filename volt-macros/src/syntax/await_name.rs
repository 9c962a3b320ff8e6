//! The name of an await in dumps and diagrams, and the text that distinguishes awaits of one
//! function in snapshots.
//!
//! ```text
//! let receipt = charge(card).await;      await charge (receipt)
//! signal("parcel").await                 await signal (parcel)
//! sleep(day).await;                      await sleep
//! ```
//!
//! The text depends only on the statement of the await, so that a stored state keeps its name if
//! other statements are added. A number in the order of the awaits would change.

use syn::visit::{self, Visit};
use syn::{Expr, ExprAsync, ExprBlock, ExprClosure, ExprLit, Lit, Macro, Member};

use crate::names::last_of;

/// The method of the operand of an await that charges the budget.
pub(super) const INTO_FUTURE: &str = "__volt_into_future";

/// The last name of the called function. For `Box::pin(..)`, and for the call of the macro that
/// charges the budget, it is the name of the argument. For a turn of a loop it is the name of the
/// macro in the loop.
pub(crate) fn await_name(awaited: &Expr) -> String {
    match awaited {
        Expr::Call(node) if is_turn(&node.func) => {
            node.args.first().and_then(literal).unwrap_or_default()
        }
        Expr::Call(node) => {
            let name = await_name(&node.func);
            let is_around = name == "pin" || is_charge(&node.func);
            let inner = node.args.first().filter(|_| is_around);
            inner.map_or(name, await_name)
        }
        Expr::MethodCall(node) if node.method == INTO_FUTURE => await_name(&node.receiver),
        Expr::MethodCall(node) => node.method.to_string(),
        Expr::Path(node) => last_of(&node.path)
            .map(ToString::to_string)
            .unwrap_or_default(),
        Expr::Field(node) => match &node.member {
            Member::Named(name) => name.to_string(),
            Member::Unnamed(_) => await_name(&node.base),
        },
        Expr::Macro(node) => macro_name(&node.mac),
        Expr::Paren(node) => await_name(&node.expr),
        Expr::Group(node) => await_name(&node.expr),
        Expr::Reference(node) => await_name(&node.expr),
        Expr::Try(node) => await_name(&node.expr),
        Expr::Async(_) => "async block".to_owned(),
        _ => "future".to_owned(),
    }
}

/// Returns `true` for the functions `volt::__entry::{charged, operand}`, which the macro calls.
fn is_charge(function: &Expr) -> bool {
    ["charged", "operand"]
        .iter()
        .any(|name| ends_in(function, "__entry", name))
}

/// Returns `true` for the function `volt::__private::loop_turn`, which the macro calls.
fn is_turn(function: &Expr) -> bool {
    ends_in(function, "__private", "loop_turn")
}

fn ends_in(function: &Expr, module: &str, name: &str) -> bool {
    let Expr::Path(node) = function else {
        return false;
    };
    let mut from_last = node.path.segments.iter().rev();
    let mut is_next = |name| from_last.next().is_some_and(|part| part.ident == name);
    is_next(name) && is_next(module)
}

fn literal(argument: &Expr) -> Option<String> {
    match argument {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text.value()),
        _ => None,
    }
}

/// The name of a macro.
pub(crate) fn macro_name(mac: &Macro) -> String {
    let last = last_of(&mac.path);
    last.map(|last| format!("{last}!")).unwrap_or_default()
}

/// The longest text of a literal that distinguishes an await.
const MAX_TEXT: usize = 40;

/// Returns the first string literal in the arguments of an awaited call, if it is a short name.
pub(crate) fn first_text(operand: &Expr) -> Option<String> {
    let mut texts = FirstText(None);
    texts.visit_expr(operand);
    texts.0.filter(|text| is_name(text))
}

fn is_name(text: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || "-_./: ".contains(letter);
    !text.is_empty() && text.len() <= MAX_TEXT && text.chars().all(is_part)
}

struct FirstText(Option<String>);

impl<'ast> Visit<'ast> for FirstText {
    fn visit_lit(&mut self, literal: &'ast Lit) {
        if let (Lit::Str(text), None) = (literal, &self.0) {
            self.0 = Some(text.value());
        }
        visit::visit_lit(self, literal);
    }

    fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}
    fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}
    fn visit_expr_block(&mut self, _: &'ast ExprBlock) {}
}
