//! Charged awaits: an await of a plain future in the user's text charges the budget of its task.
//!
//! Otherwise a loop over ready futures of other crates would occupy its worker. The bodies of
//! `#[volt::main]` and `#[volt::test]` charge at each await. A machine counts the awaits of its own
//! body, but the `async` blocks and closures in it are futures of the compiler. Of these, the
//! awaits in loops charge: code without a loop ends.
//!
//! Awaits in the arguments of macros charge if they can be changed. A loop around other ones gets a
//! turn that does, see `loop_turns`.

use proc_macro2::{Ident, Span};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::token::Paren;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Expr, ExprAsync, ExprAwait, ExprCall, ExprClosure, ExprConst, ExprForLoop, ExprLoop,
    ExprMethodCall, ExprPath, ExprWhile, Item, Macro, Path, Token, parse_quote_spanned,
};

use super::super::await_name::INTO_FUTURE;
use super::super::macros::{each_argument, visible_awaits};
use super::loop_turns::{TurnPlace, add_turns};
use crate::names::end_of;

/// Wraps each awaited future of a body:
/// `volt::__entry::charged(volt::__entry::operand(future).__volt_into_future())`.
pub(crate) fn charge_awaits(body: &mut Block, volt: &Path) {
    add_turns(body, TurnPlace::Body, volt);
    add_turns(body, TurnPlace::Blocks, volt);
    ChargedAwaits::new(volt, AwaitPlace::Charged).visit_block_mut(body);
}

/// Wraps the futures that `async` blocks and closures of a body await in loops. Returns `true` if
/// there are any.
pub(crate) fn charge_loops_of_blocks(body: &mut Block, volt: &Path) -> bool {
    let has_turns = add_turns(body, TurnPlace::Blocks, volt);
    let mut awaits = ChargedAwaits::new(volt, AwaitPlace::Body);
    awaits.visit_block_mut(body);
    awaits.is_changed || has_turns
}

/// The code around an await.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AwaitPlace {
    /// All awaits charge.
    Charged,
    /// The body of a machine.
    Body,
    /// An `async` block or closure, outside of its loops.
    AsyncBlock,
    /// A loop of such a block.
    Loop,
}

struct ChargedAwaits<'p> {
    volt: &'p Path,
    place: AwaitPlace,
    is_changed: bool,
}

impl<'p> ChargedAwaits<'p> {
    fn new(volt: &'p Path, place: AwaitPlace) -> Self {
        Self {
            volt,
            place,
            is_changed: false,
        }
    }

    /// Returns a call of a function of `__entry`, from one place to another in errors.
    fn call(&self, function: &str, (start, end): (Span, Span), argument: Expr) -> Expr {
        let path = entry_path(self.volt, function, Span::mixed_site().located_at(start));
        // The compiler joins two spans of the same expansion.
        let end = path.span().located_at(end);
        Expr::Call(ExprCall {
            attrs: Vec::new(),
            func: Box::new(Expr::Path(ExprPath {
                attrs: Vec::new(),
                qself: None,
                path,
            })),
            paren_token: Paren(end),
            args: Punctuated::from_iter([argument]),
        })
    }

    /// Visits a part of the body, in which a place `from` becomes `to`.
    fn within(&mut self, from: &[AwaitPlace], to: AwaitPlace, visit: impl FnOnce(&mut Self)) {
        let before = self.place;
        if from.contains(&before) {
            self.place = to;
        }
        visit(self);
        self.place = before;
    }

    fn within_block(&mut self, visit: impl FnOnce(&mut Self)) {
        self.within(
            &[AwaitPlace::Body, AwaitPlace::Loop],
            AwaitPlace::AsyncBlock,
            visit,
        );
    }

    fn within_loop(&mut self, visit: impl FnOnce(&mut Self)) {
        self.within(&[AwaitPlace::AsyncBlock], AwaitPlace::Loop, visit);
    }
}

impl VisitMut for ChargedAwaits<'_> {
    fn visit_expr_await_mut(&mut self, node: &mut ExprAwait) {
        visit_mut::visit_expr_await_mut(self, node);
        if !matches!(self.place, AwaitPlace::Charged | AwaitPlace::Loop) {
            return;
        }
        self.is_changed = true;
        let base = std::mem::replace(&mut *node.base, Expr::PLACEHOLDER);
        let base = without_parens(base);
        let (start, end) = (base.span(), end_of(&base));
        let operand = self.call("operand", (start, end), base);
        let future = into_future(operand, node.await_token.span);
        *node.base = self.call("charged", (start, end), future);
    }

    fn visit_expr_async_mut(&mut self, node: &mut ExprAsync) {
        self.within_block(|awaits| visit_mut::visit_expr_async_mut(awaits, node));
    }

    fn visit_expr_closure_mut(&mut self, node: &mut ExprClosure) {
        if node.asyncness.is_some() {
            self.within_block(|awaits| visit_mut::visit_expr_closure_mut(awaits, node));
        } else {
            visit_mut::visit_expr_closure_mut(self, node);
        }
    }

    fn visit_expr_loop_mut(&mut self, node: &mut ExprLoop) {
        self.within_loop(|awaits| visit_mut::visit_expr_loop_mut(awaits, node));
    }

    fn visit_expr_while_mut(&mut self, node: &mut ExprWhile) {
        self.within_loop(|awaits| visit_mut::visit_expr_while_mut(awaits, node));
    }

    fn visit_expr_for_loop_mut(&mut self, node: &mut ExprForLoop) {
        self.visit_expr_mut(&mut node.expr);
        self.within_loop(|awaits| awaits.visit_block_mut(&mut node.body));
    }

    fn visit_expr_const_mut(&mut self, _: &mut ExprConst) {}

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        if visible_awaits(mac).is_some() {
            each_argument(mac, |value| self.visit_expr_mut(value));
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// The path of a function of `__entry`. The compiler reports an error of the await from its first
/// token on, so that is at the span too.
fn entry_path(volt: &Path, function: &str, span: Span) -> Path {
    let function = Ident::new(function, span);
    let mut path: Path = parse_quote_spanned!(span=> #volt::__entry::#function);
    if let Some(colons) = &mut path.leading_colon {
        colons.spans = colons.spans.map(|colon| colon.located_at(span));
    }
    for segment in &mut path.segments {
        let name = &mut segment.ident;
        name.set_span(name.span().located_at(span));
    }
    path
}

/// Returns the call of the method whose name is reported if the operand is no future: at the word
/// `await`.
fn into_future(operand: Expr, at_await: Span) -> Expr {
    let span = Span::mixed_site().located_at(at_await);
    Expr::MethodCall(ExprMethodCall {
        attrs: Vec::new(),
        receiver: Box::new(operand),
        dot_token: Token![.](span),
        method: Ident::new(INTO_FUTURE, span),
        turbofish: None,
        paren_token: Paren(span),
        args: Punctuated::new(),
    })
}

/// The expression without the parentheses around it, which an argument of a call does not need.
fn without_parens(expr: Expr) -> Expr {
    match expr {
        Expr::Paren(paren) if paren.attrs.is_empty() => without_parens(*paren.expr),
        other => other,
    }
}
