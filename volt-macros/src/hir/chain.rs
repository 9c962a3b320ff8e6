//! Values without a name on which the methods of an awaited chain are called, or that a function is lent: each becomes a
//! local.
//!
//! ```text
//! let page = client.get(url).send().await?;     let page = {
//!                                                   let mut value_1 = client.get(url);
//!                                                   value_1.send().await?
//!                                               };
//! ```
//!
//! Such a value lives to the end of the statement, if no method takes it: whether one does is asked of the
//! compiler. Where it is not sure that the block ends where the value would be dropped, there is a doubt.
//!
//! A value that a function is lent becomes a local, too: `load(&page.url()).await`. There is a doubt where it would come
//! before what moves something or calls something, as the receiver of a method may do. So there is where it names no local:
//! the compiler may keep it as a constant, and that takes no room.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, Pat, Type, parse_quote};

use super::body::{ExprId, Stmt, Value};
use super::extended::is_constructor;
use super::lower::{Chain, Lower};
use super::operands::Use;
use super::temporaries::{ends_with_statement, has_temporary, is_value, lives_on, names_constant};
use crate::doubt::Reason;
use crate::names::{Known, bails, known, panics};
use crate::resolve::{LocalKind, named_in};

impl Lower<'_> {
    /// Lowers what ends where its temporaries are dropped. Puts a block around it if values were named.
    pub(super) fn in_chain(
        &mut self,
        is_allowed: bool,
        out: &mut Vec<Stmt>,
        lower: impl FnOnce(&mut Self, &mut Vec<Stmt>) -> Option<Value>,
    ) -> Option<Value> {
        let own = Chain {
            is_allowed,
            is_used: false,
        };
        let outer = std::mem::replace(&mut self.chain, own);
        let mut own = Vec::new();
        let value = lower(self, &mut own);
        let chain = std::mem::replace(&mut self.chain, outer);
        if !chain.is_used {
            out.extend(own);
            return value;
        }
        let id = self.target(None, false);
        self.targets.pop();
        let body = self.scope(own, value);
        Some(Value::Block { id, body })
    }

    /// A `let` that binds nothing: what it is given is dropped before the values on which its methods are called.
    pub(super) fn unnamed(
        &mut self,
        init: Expr,
        (pat, ty, otherwise): (Pat, Option<Type>, Option<ExprId>),
        out: &mut Vec<Stmt>,
    ) {
        if ty.is_none() {
            self.check_coercion(&init);
        }
        let is_allowed = ends_with_statement(&pat, &init);
        let value = self.in_chain(is_allowed, out, |this, own| {
            let value = this.settled(init, own)?;
            let value = Some(this.through_temp(value, ty.as_ref(), own));
            own.push(Stmt::Let {
                pat,
                ty,
                value,
                otherwise,
                binds: Vec::new(),
            });
            None
        });
        out.extend(value.map(Stmt::Eval));
    }

    /// Names the values on which the methods of an awaited expression are called.
    pub(super) fn name_chain(&mut self, operand: &mut Expr, out: &mut Vec<Stmt>) {
        let whole = operand.clone();
        let before = out.len();
        if self.chain.is_allowed && self.name_receiver(operand, out) && !has_temporary(operand) {
            self.chain.is_used |= out.len() > before;
            return;
        }
        self.doubts.note(Reason::OperandTemporary, &whole);
    }

    /// Names the value on which a method is called, and those before.
    fn name_receiver(&mut self, expr: &mut Expr, out: &mut Vec<Stmt>) -> bool {
        match expr {
            Expr::Paren(node) => self.name_receiver(&mut node.expr, out),
            Expr::Try(node) => self.name_receiver(&mut node.expr, out),
            Expr::MethodCall(node) => {
                if node.args.iter().any(has_temporary)
                    || !self.name_receiver(&mut node.receiver, out)
                    || names_constant(&node.receiver)
                {
                    return false;
                }
                if lives_on(&node.receiver) {
                    let value = std::mem::replace(&mut *node.receiver, parse_quote!(()));
                    *node.receiver = self.named_value(value, out);
                }
                true
            }
            Expr::Call(node) => self.name_arguments(node, out),
            expr => !has_temporary(expr),
        }
    }

    /// Names the values that a function is lent.
    fn name_arguments(&mut self, call: &mut ExprCall, out: &mut Vec<Stmt>) -> bool {
        let Some(last) = call.args.iter().rposition(has_temporary) else {
            return !has_temporary(&call.func);
        };
        let mut arguments = call.args.iter_mut().take(last + 1);
        self.may_wait(&call.func, Use::Receiver)
            && arguments.all(|argument| self.name_lent(argument, out))
    }

    /// Names the value that an argument borrows, or tells whether the argument may be evaluated behind such values.
    fn name_lent(&mut self, argument: &mut Expr, out: &mut Vec<Stmt>) -> bool {
        let Expr::Reference(node) = argument else {
            return matches!(argument, Expr::Lit(_));
        };
        if !is_value(&node.expr) {
            return self.may_wait(&node.expr, Use::Shared);
        }
        let is_made = is_made(&node.expr) && !has_temporary(&node.expr);
        if is_made && !named_in(&node.expr, &self.body.names).is_empty() {
            let value = std::mem::replace(&mut *node.expr, parse_quote!(()));
            *node.expr = self.named_value(value, out);
            return true;
        }
        false
    }

    fn named_value(&mut self, value: Expr, out: &mut Vec<Stmt>) -> Expr {
        let span = Span::mixed_site().located_at(value.span());
        let local = self.temp(LocalKind::Receiver, None, span);
        let name = self.body.locals[local.0].ident.clone();
        let value = Some(Value::Whole(self.whole(value)));
        let pat: Pat = parse_quote!(mut #name);
        out.push(Stmt::Let {
            pat,
            ty: None,
            value,
            otherwise: None,
            binds: vec![local],
        });
        parse_quote!(#name)
    }
}

/// Whether the value is made where the expression stands, if a local is among its operands. A variant may be a constant.
fn is_made(value: &Expr) -> bool {
    match value {
        Expr::Call(node) => !is_constructor(&node.func),
        Expr::Macro(node) if panics(&node.mac) || bails(&node.mac) => false,
        Expr::Macro(node) => matches!(known(&node.mac), Some(Known::Formats(0) | Known::List)),
        Expr::MethodCall(_) | Expr::Try(_) => true,
        _ => false,
    }
}
