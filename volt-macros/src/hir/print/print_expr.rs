//! The printer: leaf expressions as tokens, with replacements for locals and exits.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Expr, ExprMethodCall, Item, Local, Macro, Pat, Token, Type};

use super::matched_calls::{is_function_call, pass_matched_call};
use crate::hir::body::{Body, ExprId, ReceiverQuery};
use crate::hir::facts::{
    Use, is_value, jump_of, needs_temporary, operands_mut, part_of, part_of_mut, used_arguments,
};
use crate::names::{located_at, returns_owned, tokens_at, within_user};
use crate::resolve::LocalId;
use crate::syntax::{Arguments, keep_message, settled};

/// Replacements for the parts of a leaf expression.
pub(crate) trait Rewrite {
    /// The replacement for a use of a local.
    fn local(&self, id: LocalId, used: Use) -> TokenStream;
    /// The possible receivers of a method call that is a query.
    fn receivers(&self, _: ReceiverQuery) -> Vec<TokenStream> {
        Vec::new()
    }
    /// The replacement for a query. `calls` has the use once for each receiver.
    fn query(&self, _: ReceiverQuery, calls: &[TokenStream]) -> TokenStream {
        calls.iter().cloned().collect()
    }
    /// The replacement for a place that is used by value or matched, of which a claim may be made.
    fn claimed(&self, _: ReceiverQuery, place: TokenStream) -> TokenStream {
        place
    }
    /// The replacement for a matched value of branches that await, which may have no destructor.
    fn plain(&self, _: ExprId, value: TokenStream) -> TokenStream {
        value
    }
    /// The replacement for a call of a method that returns an owned value by its name, and for the
    /// place of its receiver.
    fn trusted_call(
        &self,
        _: &Ident,
        _: &TokenStream,
        _: Option<TokenStream>,
    ) -> Option<TokenStream> {
        None
    }
    /// The replacement for the receiver of a call of which a claim is made: that a method moves it.
    fn unnamed_receiver(&self) -> Option<TokenStream> {
        None
    }
    /// The replacement for such a call, and for its receiver.
    fn unnamed_call(&self, call: &TokenStream, _: TokenStream) -> TokenStream {
        call.clone()
    }
    /// `return value`.
    fn ret(&self, value: Option<TokenStream>) -> TokenStream;
    /// `value?`.
    fn try_operator(&self, value: TokenStream, token: Token![?]) -> TokenStream;
    /// A jump to a lowered loop or block.
    fn jump(&self, number: usize, value: Option<TokenStream>) -> TokenStream;
}

impl Body {
    /// Prints an expression.
    pub(crate) fn print(&self, id: ExprId, rewrite: &dyn Rewrite) -> TokenStream {
        self.print_used(id, Use::Value, rewrite)
    }

    /// Prints an expression that has this use.
    pub(crate) fn print_used(&self, id: ExprId, used: Use, rewrite: &dyn Rewrite) -> TokenStream {
        let mut expr = self.exprs[id.0].clone();
        Printer {
            body: self,
            rewrite,
            id,
            counted: vec![0; self.locals.len()],
            nested: false,
            claims_receivers: self.moved_receivers.contains(&id),
            is_awaited: self.awaits.iter().any(|data| data.operand == id),
        }
        .expr(&mut expr, used);
        let is_plain = used == Use::Scrutinee && self.plain.contains_key(&id);
        if is_plain && !matches!(self.exprs[id.0], Expr::Let(_)) {
            rewrite.plain(id, expr.to_token_stream())
        } else {
            expr.to_token_stream()
        }
    }
}

pub(super) struct Printer<'p> {
    pub(super) body: &'p Body,
    pub(super) rewrite: &'p dyn Rewrite,
    id: ExprId,
    /// The number of printed uses of each local.
    counted: Vec<usize>,
    /// `true` in a closure or an `async` block.
    nested: bool,
    /// `true` if methods are claimed to move their receivers here.
    claims_receivers: bool,
    /// `true` if the next expression is the whole operand of an await.
    is_awaited: bool,
}

impl Printer<'_> {
    fn expr(&mut self, expr: &mut Expr, used: Use) {
        let trusted_call = self.trusted_call(expr);
        let claimed = self.claimed(expr, used);
        if !self.print_query(expr) && !self.print_unnamed(expr) {
            self.replace(expr, used);
        }
        let call = |(method, place)| {
            let call = expr.to_token_stream();
            self.rewrite.trusted_call(&method, &call, place)
        };
        if let Some(call) = trusted_call.and_then(call) {
            let begin = expr.span();
            *expr = Expr::Verbatim(within_user(quote!((#call)), begin));
        }
        if let Some(query) = claimed {
            let place = expr.to_token_stream();
            *expr = Expr::Verbatim(self.rewrite.claimed(query, place));
        }
    }

    /// Returns the method and the receiver's place, if the expression is a call of a method that
    /// returns an owned value by its name. The inner `None` means that the receiver is a value.
    fn trusted_call(&mut self, expr: &Expr) -> Option<(Ident, Option<TokenStream>)> {
        let is_awaited = std::mem::take(&mut self.is_awaited);
        let Expr::MethodCall(node) = expr else {
            return None;
        };
        let is_value_of_local = self.body.trusted_methods.contains(&self.id);
        if is_awaited || self.nested || !is_value_of_local || !returns_owned(&node.method) {
            return None;
        }
        let mut place = (*node.receiver).clone();
        if is_value(&place) {
            return Some((node.method.clone(), None));
        }
        let counted = self.counted.clone();
        self.within(|printer| printer.replace(&mut place, Use::Shared));
        self.counted = counted;
        Some((node.method.clone(), Some(place.to_token_stream())))
    }

    /// The use of a place of which a claim may be made.
    fn claimed(&self, place: &Expr, used: Use) -> Option<ReceiverQuery> {
        let part = part_of(place).filter(|_| !self.nested);
        let local = match (used, part) {
            (Use::Value | Use::Scrutinee, Some(base)) => self.body.local_of(base),
            (Use::Value | Use::Scrutinee, None) if !self.nested => self.body.local_of(place),
            _ => None,
        };
        local.map(|local| self.next_use(local))
    }

    /// The next use of a local.
    fn next_use(&self, local: LocalId) -> ReceiverQuery {
        ReceiverQuery {
            local,
            expr: self.id,
            number: self.counted[local.0],
        }
    }

    fn replace(&mut self, expr: &mut Expr, used: Use) {
        match expr {
            Expr::Path(node) => {
                let span = node.span();
                if let Some(id) = self.body.local_of(expr) {
                    let tokens = self.rewrite.local(id, self.moved_or(id, used));
                    *expr = Expr::Verbatim(within_user(tokens_at(tokens, span), span));
                }
            }
            Expr::Match(node) => self.without_claims(|printer| {
                let is_call = is_function_call(&node.expr);
                printer.expr(&mut node.expr, Use::Scrutinee);
                let pats = node.arms.iter().map(|arm| &arm.pat);
                pass_matched_call(&mut node.expr, is_call, pats);
                let arms = node.arms.iter_mut();
                arms.for_each(|arm| printer.visit_arm_mut(arm));
            }),
            Expr::Let(node) => {
                let is_call = is_function_call(&node.expr);
                self.expr(&mut node.expr, Use::Scrutinee);
                pass_matched_call(&mut node.expr, is_call, [&*node.pat]);
                if self.body.plain.contains_key(&self.id) && !self.nested {
                    let value = self.rewrite.plain(self.id, node.expr.to_token_stream());
                    *node.expr = Expr::Verbatim(value);
                }
            }
            Expr::If(_)
            | Expr::While(_)
            | Expr::Loop(_)
            | Expr::ForLoop(_)
            | Expr::Block(_)
            | Expr::Unsafe(_) => {
                self.without_claims(|printer| visit_mut::visit_expr_mut(printer, expr));
            }
            Expr::Closure(node) => self.within(|printer| printer.expr(&mut node.body, Use::Value)),
            Expr::Async(node) => self.within(|printer| printer.visit_block_mut(&mut node.block)),
            Expr::Macro(node) => {
                self.visit_macro_mut(&mut node.mac);
                let tokens = settled(&node.mac).or_else(|| self.with_references(&node.mac));
                if let Some(tokens) = tokens {
                    *expr = Expr::Verbatim(tokens);
                }
            }
            expr => self.plain(expr, used),
        }
    }

    /// Prints a call of which a claim is made: that the method moves its receiver, a temporary.
    /// Returns `false` if it is another expression, or if the claim is not printed.
    fn print_unnamed(&mut self, expr: &mut Expr) -> bool {
        let Expr::MethodCall(node) = expr else {
            return false;
        };
        let is_claimed = self.claims_receivers && !self.nested && needs_temporary(&node.receiver);
        let Some(replaced) = self.rewrite.unnamed_receiver().filter(|_| is_claimed) else {
            return false;
        };
        let begin = node.receiver.span();
        self.expr(&mut node.receiver, Use::Receiver);
        let receiver = std::mem::replace(&mut *node.receiver, Expr::Verbatim(replaced));
        for argument in &mut node.args {
            self.expr(argument, Use::Value);
        }
        let call = node.to_token_stream();
        let tokens = self.rewrite.unnamed_call(&call, receiver.to_token_stream());
        *expr = Expr::Verbatim(within_user(quote!((#tokens)), begin));
        true
    }

    /// Prints code that is no operand, where no claims about receivers are made.
    fn without_claims(&mut self, print: impl FnOnce(&mut Self)) {
        let before = std::mem::take(&mut self.claims_receivers);
        print(self);
        self.claims_receivers = before;
    }

    /// Prints the content of a closure or an `async` block.
    fn within(&mut self, print: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.nested, true);
        print(self);
        self.nested = before;
    }

    /// Prints a method call on a local, if it is a query. Returns `false` otherwise.
    fn print_query(&mut self, expr: &mut Expr) -> bool {
        let Expr::MethodCall(node) = &*expr else {
            return false;
        };
        let base = part_of(&node.receiver).unwrap_or(&node.receiver);
        let Some(local) = self.body.local_of(base).filter(|_| !self.nested) else {
            return false;
        };
        let query = self.next_use(local);
        let receivers = self.rewrite.receivers(query);
        if receivers.is_empty() {
            return false;
        }
        let before = self.counted.clone();
        let calls = receivers.into_iter().map(|receiver| {
            self.counted.clone_from(&before);
            self.counted[local.0] += 1;
            self.with_receiver(node.clone(), receiver)
        });
        let calls: Vec<_> = calls.collect();
        let tokens = self.rewrite.query(query, &calls);
        // It begins with a brace, or as an `if` does, and an operator may follow.
        let begin = node.receiver.span();
        *expr = Expr::Verbatim(within_user(quote!((#tokens)), begin));
        true
    }

    /// Prints the call with another receiver.
    fn with_receiver(&mut self, mut call: ExprMethodCall, receiver: TokenStream) -> TokenStream {
        for argument in &mut call.args {
            self.expr(argument, Use::Value);
        }
        if let Some(local) = part_of_mut(&mut call.receiver) {
            *local = Expr::Verbatim(located_at(receiver, local.span()));
        }
        call.to_token_stream()
    }

    /// Counts a use. Returns `Use::Moved` for one that moves its local.
    fn moved_or(&mut self, local: LocalId, used: Use) -> Use {
        let number = self.counted[local.0];
        self.counted[local.0] += 1;
        let moves = self.body.moves.contains(&(self.id, local, number));
        if moves { Use::Moved } else { used }
    }

    fn plain(&mut self, expr: &mut Expr, used: Use) {
        if let Expr::Struct(node) = expr {
            for field in &mut node.fields {
                let span = field.member.span();
                field.colon_token.get_or_insert_with(|| Token![:](span));
            }
        }
        for (operand, used) in operands_mut(expr, used).into_iter().flatten() {
            self.expr(operand, used);
        }
        if self.nested {
            match expr {
                Expr::Await(node) => name_operand(&mut node.base),
                Expr::Try(node) => name_operand(&mut node.expr),
                _ => {}
            }
            return;
        }
        let tokens = match expr {
            Expr::Return(node) => self
                .rewrite
                .ret(node.expr.as_ref().map(ToTokens::to_token_stream)),
            Expr::Break(node) => match jump_of(node) {
                Some(number) => self
                    .rewrite
                    .jump(number, node.expr.as_ref().map(ToTokens::to_token_stream)),
                None => return,
            },
            Expr::Try(node) => {
                let value = node.expr.to_token_stream();
                self.rewrite.try_operator(value, node.question_token)
            }
            _ => return,
        };
        *expr = Expr::Verbatim(tokens);
    }
}

/// Passes the operand of an await or a `?` in an `async` block or closure through a function, which
/// has no type if the reference function has an error. So a wrong operand is reported once.
fn name_operand(operand: &mut Expr) {
    let named = quote_spanned!(operand.span()=> __WellTyped::operand(#operand));
    *operand = Expr::Verbatim(named);
}

impl VisitMut for Printer<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        self.expr(expr, Use::Value);
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        let used = match &local.pat {
            Pat::Ident(_) => Use::Value,
            Pat::Type(typed) if matches!(*typed.pat, Pat::Ident(_)) => Use::Value,
            _ => Use::Scrutinee,
        };
        if let Some(init) = &mut local.init {
            self.expr(&mut init.expr, used);
            if let Some((_, otherwise)) = &mut init.diverge {
                self.visit_expr_mut(otherwise);
                // The value is in parentheses, as in `let_of`.
                let value = &init.expr;
                *init.expr = Expr::Verbatim(quote!((#value)));
            }
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        let Some(mut arguments) =
            Arguments::of(mac).filter(|arguments| !arguments.exprs.is_empty())
        else {
            return;
        };
        for (value, used) in used_arguments(&mut arguments) {
            self.expr(value, used);
        }
        let before = std::mem::replace(&mut mac.tokens, arguments.tokens());
        keep_message(mac, before);
    }

    /// Nothing is replaced in patterns and types, except in guards.
    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        if let Pat::Guard(node) = pat {
            self.visit_expr_mut(&mut node.guard);
        }
    }

    fn visit_type_mut(&mut self, _: &mut Type) {}
    fn visit_attribute_mut(&mut self, _: &mut Attribute) {}
    fn visit_item_mut(&mut self, _: &mut Item) {}
}
