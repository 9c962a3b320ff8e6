//! Turns of loops: an await for each loop whose only awaits are in macros.
//!
//! The awaits that the macro sees spend the budget of the task. It does not see those in the
//! expansion of `tokio::select!`. So a loop around such a macro gets one that is always ready:
//!
//! ```text
//! loop {
//!     tokio::select! { .. }
//!     loop_turn("select!").await;
//! }
//! ```
//!
//! The future of the loop stores each local that is live across an await. The turn must not add a
//! local to them, because a local that is not `Send` would change the future. So the turn is at a
//! place where each live local is also live across the await of the macro:
//!
//! 1. at the head of the loop, if the loop assigns no local that is read before the await. The
//!    local is live at the head then, and dead at the await. A `while` becomes a `loop` for it;
//! 2. in a `for`, at the end of its block, if the loop assigns nothing;
//! 3. else after the statement of the macro, if the statement binds and assigns nothing. A macro
//!    that not each iteration passes has its turn there in any case.
//!
//! Other loops get none. The compiler stores a local that is live across two awaits at a place of
//! its own. So the turn can make the future larger, and least at a place with the fewest locals.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Expr, ExprAsync, ExprClosure, ExprConst, ExprForLoop, ExprLoop, ExprWhile, Item, Macro,
    Path, Stmt, parse_quote_spanned,
};

use super::super::await_name::macro_name;
use super::super::macros::contains_ident;
use super::assigned_names::UsedNames;
use super::awaiting_macros::awaits_in_place;
use super::certain_awaits::CertainAwaits;
use crate::names::is_mark;

/// The code that gets turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TurnPlace {
    /// The body itself, without its `async` blocks and closures.
    Body,
    /// The `async` blocks and closures of the body.
    Blocks,
}

/// Adds turns to the loops of a body. Returns `true` if there are any.
pub(crate) fn add_turns(body: &mut Block, place: TurnPlace, volt: &Path) -> bool {
    let mut turns = LoopTurns {
        volt,
        place,
        is_active: place == TurnPlace::Body,
        current: None,
        awaiting: None,
        is_changed: false,
    };
    turns.visit_block_mut(body);
    turns.is_changed
}

/// A macro that awaits.
#[derive(Clone, Debug)]
struct AwaitingMacro {
    name: String,
    span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LoopKind {
    Loop,
    While,
    For,
}

/// The innermost loop around the current code.
#[derive(Debug)]
struct CurrentLoop {
    kind: LoopKind,
    names: UsedNames,
    has_continue: bool,
    /// `true` until the block of the loop is visited.
    is_before_body: bool,
    /// The macro for which the loop gets a turn in each iteration.
    found: Option<AwaitingMacro>,
    /// `true` if that macro awaits in each iteration, so no other macro needs a turn.
    has_turn: bool,
    /// `true` if each iteration passes an await already.
    is_done: bool,
}

impl CurrentLoop {
    fn new(kind: LoopKind, condition: Option<&Expr>, body: &Block) -> Self {
        let code = quote!(#condition #body);
        let has_continue = contains_ident(code.clone(), "continue");
        let mut certain = CertainAwaits::default();
        condition.into_iter().for_each(|it| certain.visit_expr(it));
        let continues = |stmt: &Stmt| has_continue && contains_ident(quote!(#stmt), "continue");
        let passed = body.stmts.iter().take_while(|stmt| !continues(stmt));
        passed.for_each(|stmt| certain.visit_stmt(stmt));
        Self {
            kind,
            names: UsedNames::of(code),
            has_continue,
            is_before_body: true,
            found: None,
            has_turn: false,
            is_done: certain.has_await,
        }
    }

    /// Notes a macro that needs a turn at the head of the loop, or at the end of the block of a
    /// `for`. `read` is the code from the head to the await, if each iteration passes it.
    fn note(&mut self, found: AwaitingMacro, read: Option<&TokenStream>) {
        if self.is_safe(read) {
            self.found.get_or_insert(found);
        }
    }

    /// Returns `true` if each local that is live there is also live across the await.
    fn is_safe(&self, read: Option<&TokenStream>) -> bool {
        let assigned = &self.names.assigned;
        match (self.kind, read) {
            (LoopKind::For, read) => read.is_some() && !self.has_continue && assigned.is_empty(),
            (_, Some(read)) => assigned.is_disjoint(&UsedNames::of(read.clone()).read),
            (_, None) => assigned.is_empty(),
        }
    }
}

struct LoopTurns<'p> {
    volt: &'p Path,
    place: TurnPlace,
    is_active: bool,
    current: Option<CurrentLoop>,
    /// The macro of the current statement that awaits.
    awaiting: Option<AwaitingMacro>,
    is_changed: bool,
}

impl LoopTurns<'_> {
    /// Visits code of another future.
    fn nested(&mut self, is_active: bool, visit: impl FnOnce(&mut Self)) {
        let before = (self.is_active, self.current.take(), self.awaiting.take());
        self.is_active = is_active;
        visit(self);
        (self.is_active, self.current, self.awaiting) = before;
    }

    /// Visits a loop, and returns the statement of its turn.
    fn visit_loop(&mut self, current: CurrentLoop, visit: impl FnOnce(&mut Self)) -> Option<Stmt> {
        let around = (self.current.replace(current), self.awaiting.take());
        visit(self);
        let current = self.current.take();
        (self.current, self.awaiting) = around;
        let current = current.filter(|current| !current.is_done)?;
        current.found.map(|found| self.turn(&found))
    }

    fn turn(&mut self, of: &AwaitingMacro) -> Stmt {
        self.is_changed = true;
        let (volt, name) = (self.volt, &of.name);
        let span = Span::mixed_site().located_at(of.span);
        parse_quote_spanned!(span=> #volt::__private::loop_turn(#name).await;)
    }

    /// Handles a macro in the condition of a `while`.
    fn after_condition(&mut self, condition: &Expr) {
        if let Some((found, current)) = self.awaiting.take().zip(self.current.as_mut()) {
            let is_certain = CertainAwaits::of_expr(condition).has_macro;
            let read = is_certain.then(|| quote!(#condition));
            current.note(found, read.as_ref());
        }
    }

    /// Handles a macro in a statement of a block. Returns a turn that follows the statement.
    fn after_statement(&mut self, block: &[Stmt], at: usize, is_body: bool) -> Option<Stmt> {
        let found = self.awaiting.take()?;
        let is_open = |current: &&mut CurrentLoop| !current.is_done && !current.has_turn;
        let current = self.current.as_mut().filter(is_open)?;
        let (stmt, rest) = (&block[at], &block[at + 1..]);
        if has_condition(stmt) || leaves(rest) {
            return None;
        }
        let is_certain = is_body && CertainAwaits::of_stmt(stmt).has_macro;
        let before = &block[..at];
        let passes_head = is_certain && !contains_ident(quote!(#(#before)*), "break");
        let passes_head = passes_head && current.kind != LoopKind::While;
        let read = passes_head.then(|| quote!(#(#before)* #stmt));
        let is_alone =
            is_expression(stmt, rest) && UsedNames::of(quote!(#stmt)).assigned.is_empty();
        let fits_head = is_certain && !jumps(&block[at..]) && current.is_safe(read.as_ref());
        if is_alone && !fits_head {
            current.is_done = is_certain && !current.has_continue;
            return Some(self.turn(&found));
        }
        current.note(found, read.as_ref());
        current.has_turn = is_certain && current.found.is_some();
        None
    }

    fn found(&self) -> bool {
        let current = self.current.as_ref();
        current.is_some_and(|current| current.found.is_some())
    }
}

/// Returns `true` for a statement that binds nothing and is not the value of its block.
fn is_expression(stmt: &Stmt, rest: &[Stmt]) -> bool {
    match stmt {
        Stmt::Expr(_, semi) => semi.is_some() || !rest.is_empty(),
        Stmt::Macro(node) => node.semi_token.is_some() || !rest.is_empty(),
        Stmt::Local(_) | Stmt::Item(_) => false,
    }
}

/// Returns `true` if the statement may not be compiled.
fn has_condition(stmt: &Stmt) -> bool {
    let mut tokens = stmt.to_token_stream().into_iter();
    let is_attribute = tokens.next().is_some_and(|first| is_mark(&first, '#'));
    let attribute = tokens.next().filter(|_| is_attribute);
    attribute.is_some_and(|attribute| {
        let attribute = attribute.to_token_stream();
        ["cfg", "cfg_attr"]
            .iter()
            .any(|name| contains_ident(attribute.clone(), name))
    })
}

/// Returns `true` if the statements contain a jump. Without one, the next iteration follows.
fn jumps(stmts: &[Stmt]) -> bool {
    let code = quote!(#(#stmts)*);
    let words = ["break", "continue", "return"];
    words.iter().any(|word| contains_ident(code.clone(), word))
}

/// Returns `true` if the statements leave the loop.
fn leaves(rest: &[Stmt]) -> bool {
    rest.iter()
        .any(|stmt| matches!(stmt, Stmt::Expr(Expr::Break(_) | Expr::Return(_), _)))
}

impl VisitMut for LoopTurns<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let around = self.awaiting.take();
        let current = self.current.as_mut();
        let is_body = current.is_some_and(|it| std::mem::take(&mut it.is_before_body));
        let (mut at, mut was_found) = (0, self.found());
        while at < block.stmts.len() {
            self.visit_stmt_mut(&mut block.stmts[at]);
            let turn = self.after_statement(&block.stmts, at, is_body);
            if !was_found
                && leaves(&block.stmts[at + 1..])
                && let Some(current) = &mut self.current
            {
                current.found = None;
            }
            was_found = self.found();
            at += 1;
            if let Some(turn) = turn {
                block.stmts.insert(at, turn);
                at += 1;
            }
        }
        self.awaiting = around;
    }

    fn visit_expr_mut(&mut self, node: &mut Expr) {
        if !self.is_active {
            return visit_mut::visit_expr_mut(self, node);
        }
        match node {
            Expr::Loop(ExprLoop { body, .. }) => {
                let current = CurrentLoop::new(LoopKind::Loop, None, body);
                let turn = self.visit_loop(current, |turns| turns.visit_block_mut(body));
                body.stmts.splice(0..0, turn);
            }
            Expr::ForLoop(ExprForLoop { expr, body, .. }) => {
                self.visit_expr_mut(expr);
                let current = CurrentLoop::new(LoopKind::For, None, body);
                let turn = self.visit_loop(current, |turns| turns.visit_block_mut(body));
                if let Some(turn) = turn {
                    let stmts = std::mem::take(&mut body.stmts);
                    let span = Span::mixed_site().located_at(body.brace_token.span.open());
                    let inner = parse_quote_spanned!(span=> { #(#stmts)* });
                    body.stmts = vec![inner, turn];
                }
            }
            Expr::While(ExprWhile { cond, body, .. }) => {
                let current = CurrentLoop::new(LoopKind::While, Some(cond), body);
                let turn = self.visit_loop(current, |turns| {
                    turns.visit_expr_mut(cond);
                    turns.after_condition(cond);
                    turns.visit_block_mut(body);
                });
                if let Some(turn) = turn {
                    begin_with(node, &turn);
                }
            }
            _ => visit_mut::visit_expr_mut(self, node),
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        if self.current.is_some() && self.awaiting.is_none() && awaits_in_place(mac) {
            self.awaiting = Some(AwaitingMacro {
                name: macro_name(mac),
                span: mac.bang_token.span,
            });
        }
    }

    fn visit_expr_async_mut(&mut self, node: &mut ExprAsync) {
        let is_active = self.place == TurnPlace::Blocks;
        self.nested(is_active, |turns| {
            visit_mut::visit_expr_async_mut(turns, node)
        });
    }

    fn visit_expr_closure_mut(&mut self, node: &mut ExprClosure) {
        let is_active = self.place == TurnPlace::Blocks && node.asyncness.is_some();
        self.nested(is_active, |turns| {
            visit_mut::visit_expr_closure_mut(turns, node)
        });
    }

    fn visit_expr_const_mut(&mut self, _: &mut ExprConst) {}

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Changes a `while` to a `loop` that begins with a turn.
fn begin_with(node: &mut Expr, turn: &Stmt) {
    let Expr::While(ExprWhile {
        attrs,
        label,
        while_token,
        cond,
        body,
    }) = node
    else {
        return;
    };
    let span = Span::mixed_site().located_at(while_token.span);
    *node = parse_quote_spanned! {span=>
        #(#attrs)* #label loop { #turn if #cond #body else { break; } }
    };
}

#[cfg(test)]
mod tests;
