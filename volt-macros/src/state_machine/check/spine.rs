//! Expressions that hold an await in one of their parts.
//!
//! The part is replaced by a hole, and the expression stays whole around it. What is evaluated
//! before the part comes first in the source too, so it may only stay in the expression if
//! nobody can tell that it is evaluated later. Otherwise its value is kept in a local meanwhile:
//!
//! ```text
//! f(n, a.await)        n is a number: it stays
//! f(d, a.await)        { let operand: D = d; f(operand, a.await) }
//! f(a.await, b.await)  { let operand: A::Output = a.await; f(operand, b.await) }
//! ```

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, Local as SynLocal, Stmt as SynStmt, Type, parse_quote, parse_quote_spanned};

use super::checker::Check;
use super::earlier::Earlier;
use super::slots::{Role, Slot, slots};
use crate::state_machine::body::{Block, Kind, Origin, Spine, Stmt, first_await, holds_await};
use crate::state_machine::errors::Rule;
use crate::state_machine::names;
use crate::state_machine::operators::changes;

impl Check<'_> {
    pub(super) fn spine(&mut self, expr: &Expr) -> Kind {
        if let Expr::Binary(node) = expr
            && changes(&node.op)
            && let Some(claim) = self.changed_place(&node.left)
        {
            self.claim(claim);
        }
        let mut template = expr.clone();
        let mut parts = slots(&mut template);
        let Some(last) = parts.iter().rposition(|slot| holds_await(&*slot.part)) else {
            return self.refused(unknown(expr), expr);
        };
        let depth = self.scope.len();
        let spills = self.spill(&mut parts[..=last]);
        if !spills.is_empty() {
            // A temporary that is made behind them ends with them.
            for Slot { part, role } in &mut parts[last + 1..] {
                match role {
                    Role::Value => self.prove_lasting(part, Rule::LastingTemporary),
                    _ => self.prove_place(part, Rule::LastingTemporary),
                }
            }
        }
        let moves = parts[last].role == Role::Value;
        let hole = names::hole(parts[last].part.span());
        let part = std::mem::replace(parts[last].part, parse_quote!(#hole));
        let kind = self.behind(spills, |this| {
            let nested = usize::from(!is_transparent(expr) || is_operated(expr, &part));
            this.nested += nested;
            let inner = this.expr(&part);
            this.nested -= nested;
            if let Some(span) = first_await(&template) {
                this.errors.refuse_at(Rule::UnknownExpression, span);
            }
            Kind::Spine(Box::new(Spine {
                template,
                inner,
                moves,
            }))
        });
        self.scope.truncate(depth);
        kind
    }

    /// An expression behind the values that are kept for it.
    pub(super) fn behind(
        &mut self,
        mut spills: Vec<Stmt>,
        kind: impl FnOnce(&mut Self) -> Kind,
    ) -> Kind {
        if spills.is_empty() {
            return kind(self);
        }
        let node = Box::new(self.node(kind));
        spills.push(Stmt::Expr { node, semi: false });
        Kind::Block(Block {
            label: None,
            unsafety: None,
            stmts: spills,
        })
    }

    /// Keeps the values of what is evaluated before the last of the parts, where they cannot
    /// stay in the expression.
    pub(super) fn spill(&mut self, parts: &mut [Slot<'_>]) -> Vec<Stmt> {
        let texts: Vec<_> = parts
            .iter()
            .map(|slot| slot.part.to_token_stream())
            .collect();
        let earlier: Vec<_> = parts
            .iter()
            .enumerate()
            .map(|(index, slot)| self.earlier(slot, &texts[index + 1..]))
            .collect();
        let mut spills = Vec::new();
        let before = parts.len().saturating_sub(1);
        for (slot, earlier) in parts.iter().zip(&earlier).take(before) {
            if let Earlier::Stays | Earlier::StaysAs(_) = earlier
                && let Some(claim) = self.stays(slot)
            {
                self.claim(claim);
            }
        }
        self.nested += 1;
        for (slot, earlier) in parts.iter_mut().zip(earlier).take(before) {
            match earlier {
                Earlier::Stays => {}
                Earlier::StaysAs(expr) => *slot.part = expr,
                Earlier::Spills(ty) => {
                    self.prove_lasting(slot.part, Rule::LastingTemporary);
                    spills.push(self.spilled(slot.part, ty));
                }
                Earlier::Refused => {
                    self.errors.refuse(Rule::AwaitAfterOperand, &*slot.part);
                    self.discard(slot.part);
                }
            }
        }
        self.nested -= 1;
        spills
    }

    /// `let operand: T = part;`, with the part replaced by the operand.
    pub(super) fn spilled(&mut self, part: &mut Expr, ty: Option<Type>) -> Stmt {
        let span = part.span();
        let operand = self.unused("operand", span);
        let part = std::mem::replace(part, parse_quote!(#operand));
        let ty = ty.iter();
        let stmt: SynStmt = parse_quote_spanned!(span=> let #operand #(: #ty)* = #part;);
        let SynStmt::Local(local) = stmt else {
            unreachable!("a `let`")
        };
        self.operand_let(&local)
    }

    fn operand_let(&mut self, local: &SynLocal) -> Stmt {
        let awaits = local
            .init
            .as_ref()
            .is_some_and(|init| holds_await(&*init.expr));
        let label = self.label.take().filter(|_| !awaits);
        let declared = self.let_stmt(local);
        self.label = label;
        for &operand in &declared.locals {
            self.locals[operand].origin = Origin::Operand;
        }
        Stmt::Let(Box::new(declared))
    }

    /// Looks for other mistakes in a part that is refused.
    pub(super) fn discard(&mut self, part: &mut Expr) {
        let part = std::mem::replace(part, parse_quote!({}));
        let _ = self.expr(&part);
    }
}

/// Whether a temporary in the only part of the expression ends as soon as it would in its place.
fn is_transparent(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Return(_) | Expr::Break(_) | Expr::Unary(_) | Expr::Cast(_)
    )
}

/// Whether an operator, which may be the user's, takes what a branch gives: what that matches lives on.
fn is_operated(expr: &Expr, part: &Expr) -> bool {
    match part {
        Expr::Paren(node) => is_operated(expr, &node.expr),
        Expr::Group(node) => is_operated(expr, &node.expr),
        Expr::Match(_) | Expr::If(_) => matches!(expr, Expr::Unary(_)),
        _ => false,
    }
}

/// Why an expression of a kind that is not known cannot hold an await.
fn unknown(expr: &Expr) -> Rule {
    match expr {
        Expr::Binary(_) | Expr::Assign(_) => Rule::AwaitInPlace,
        _ => Rule::UnknownExpression,
    }
}
