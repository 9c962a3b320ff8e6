//! Conditions with an await behind their first operand.
//!
//! Without a `let`, `a && b.await` is a value like any other, by its meaning:
//! `if a { b.await } else { false }`. A chain with a `let` binds names, so it is nested:
//!
//! ```text
//! if a && let P = b.await { then }               if a { if let P = b.await { then } }
//! if a && let P = b.await { then } else { or }   'chain: { if a { if let P = b.await {
//!                                                    break 'chain { then }
//!                                                } } or }
//! while a && let P = b.await { body }            loop { if a { if let P = b.await {
//!                                                    body continue;
//!                                                } } break; }
//! ```
//!
//! What a `let` of the chain binds is dropped before the `else`, as in the original.

use proc_macro2::Span;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, ExprBinary, ExprIf, ExprWhile, Label, Lifetime, Token, parse_quote};

use super::checker::Check;
use crate::state_machine::body::{Kind, Node, holds_await};

impl Check<'_> {
    /// `&&` and `||` with an await on the right.
    pub(super) fn lazy(&mut self, node: &ExprBinary) -> Kind {
        let (left, right) = (&node.left, &node.right);
        let branches: ExprIf = match node.op {
            BinOp::And(_) => parse_quote!(if #left { #right } else { false }),
            _ => parse_quote!(if #left { true } else { #right }),
        };
        self.if_expr(&branches)
    }

    /// An `if` over a chain that must be split, if this is one.
    pub(super) fn split_if(&mut self, node: &ExprIf) -> Option<Expr> {
        let (first, rest) = split(&node.cond)?;
        let then = &node.then_branch;
        let Some((_, otherwise)) = &node.else_branch else {
            return Some(parse_quote!(if #first { if #rest #then }));
        };
        let chain = self.unused("chain", Span::mixed_site());
        let chain = Lifetime::new(&format!("'{chain}"), Span::mixed_site());
        let mut nested: Expr = parse_quote! {
            { if #first { if #rest { break #chain #then } } #otherwise }
        };
        if let Some(label) = self.turns.last() {
            Relabel(label.clone()).visit_expr_mut(&mut nested);
        }
        if let Expr::Block(block) = &mut nested {
            block.label = Some(parse_quote!(#chain:));
        }
        Some(nested)
    }

    /// `while c.await { .. }` is what the language says it is: `loop { if c.await { .. } else { break } }`.
    pub(super) fn while_await(&mut self, node: &ExprWhile) -> Node {
        let (label, cond, body) = (&node.label, &node.cond, &node.body);
        let unrolled: Expr = match split(cond) {
            Some((first, rest)) => parse_quote! {
                #label loop { if #first { if #rest { #body continue; } } break; }
            },
            None => parse_quote!(#label loop { if #cond #body else { break } }),
        };
        self.expr(&unrolled)
    }

    /// The label of a loop: made up if a chain in it is split into a labelled block, from which
    /// only jumps to a label lead out.
    pub(super) fn turn_label(&mut self, label: Option<&Label>, body: &syn::Block) -> Option<Label> {
        if label.is_some() || !holds_split(body) {
            return label.cloned();
        }
        let name = self.unused("turns", Span::mixed_site());
        let name = Lifetime::new(&format!("'{name}"), Span::mixed_site());
        Some(parse_quote!(#name:))
    }
}

/// A chain with a `let`, split before the first operand behind the first one that awaits.
fn split(cond: &Expr) -> Option<(Expr, Expr)> {
    let mut operands = Vec::new();
    flatten(cond, &mut operands);
    let binds = operands
        .iter()
        .any(|operand| matches!(operand, Expr::Let(_)));
    let awaits = operands
        .iter()
        .skip(1)
        .position(|operand| holds_await(*operand))?;
    let (first, rest) = operands.split_at(awaits + 1);
    Some((join(first)?, join(rest)?)).filter(|_| binds)
}

fn flatten<'e>(cond: &'e Expr, operands: &mut Vec<&'e Expr>) {
    match cond {
        Expr::Binary(node) if matches!(node.op, BinOp::And(_)) => {
            flatten(&node.left, operands);
            flatten(&node.right, operands);
        }
        other => operands.push(other),
    }
}

fn join(operands: &[&Expr]) -> Option<Expr> {
    let operands = operands.iter().map(|&operand| operand.clone());
    operands.reduce(|left, right| {
        Expr::Binary(ExprBinary {
            attrs: Vec::new(),
            left: Box::new(left),
            op: BinOp::And(<Token![&&]>::default()),
            right: Box::new(right),
        })
    })
}

/// Whether a chain in the body of a loop is split into a labelled block.
fn holds_split(body: &syn::Block) -> bool {
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_expr_if(&mut self, node: &'ast ExprIf) {
            self.0 |= node.else_branch.is_some() && split(&node.cond).is_some();
            visit::visit_expr_if(self, node);
        }

        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}

        fn visit_expr_async(&mut self, _: &'ast syn::ExprAsync) {}

        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut find = Find(false);
    find.visit_block(body);
    find.0
}

/// Gives jumps without a label the label of the loop that they leave.
struct Relabel(Label);

impl VisitMut for Relabel {
    fn visit_expr_break_mut(&mut self, node: &mut syn::ExprBreak) {
        node.label.get_or_insert_with(|| self.0.name.clone());
        visit_mut::visit_expr_break_mut(self, node);
    }

    fn visit_expr_continue_mut(&mut self, node: &mut syn::ExprContinue) {
        node.label.get_or_insert_with(|| self.0.name.clone());
    }

    fn visit_expr_loop_mut(&mut self, _: &mut syn::ExprLoop) {}

    fn visit_expr_while_mut(&mut self, _: &mut ExprWhile) {}

    fn visit_expr_for_loop_mut(&mut self, node: &mut syn::ExprForLoop) {
        self.visit_expr_mut(&mut node.expr);
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}

    fn visit_expr_async_mut(&mut self, _: &mut syn::ExprAsync) {}

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
