//! Leaf expressions, and the jumps in them that leave a lowered loop or block.

use proc_macro2::Span;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprAsync, ExprClosure, ExprTry, Item, Label, Lifetime, Macro, parse_quote};

use super::lowering::Lower;
use crate::fallback::FallbackReason;
use crate::hir::body::{ExprId, LeafJump, TargetId};
use crate::hir::built_exprs;
use crate::hir::facts::diverges;
use crate::hir::facts::{JUMP, Use, operands};
use crate::syntax::{contains_ident, each_argument};

impl Lower<'_> {
    /// Adds a leaf expression to the body.
    pub(in crate::hir) fn leaf(&mut self, mut expr: Expr) -> ExprId {
        // A `panic!` is a block in parentheses.
        if !matches!(expr, Expr::Paren(_)) && has_diverging_operand(&expr) {
            self.fallbacks.note(FallbackReason::NeverReached, &expr);
        }
        LeafExpr {
            lower: self,
            around: Vec::new(),
            nested: 0,
        }
        .visit_expr_mut(&mut expr);
        self.body.add(expr)
    }

    /// Adds a block that only jumps out of a lowered block.
    pub(in crate::hir) fn jump_to(&mut self, target: TargetId) -> ExprId {
        self.body.jumps.push(LeafJump {
            target,
            is_continue: false,
        });
        let label = label_of(self.body.jumps.len() - 1);
        let jump = built_exprs::break_with(Some(label), None, Span::call_site());
        let jump = built_exprs::braced(jump, Span::call_site());
        self.body.add(built_exprs::block(jump))
    }

    /// Adds a jump to the loop or block with the label, or to the innermost loop. Returns its
    /// number.
    fn add_jump(
        &mut self,
        label: Option<&Lifetime>,
        is_continue: bool,
        value: bool,
    ) -> Option<usize> {
        let mut targets = self.targets.iter().rev();
        let found = targets.find(|target| match label {
            Some(label) => target.label.as_ref() == Some(&label.ident),
            None => target.is_loop,
        });
        let target = found?;
        self.targets_with_value[target.id.0] |= value;
        self.body.jumps.push(LeafJump {
            target: target.id,
            is_continue,
        });
        Some(self.body.jumps.len() - 1)
    }
}

struct LeafExpr<'l, 'd> {
    lower: &'l mut Lower<'d>,
    /// The loops and labelled blocks of the leaf around the visited code: `true` for a loop, and
    /// the label.
    around: Vec<(bool, Option<Label>)>,
    /// The number of closures and `async` blocks around the visited code.
    nested: usize,
}

impl LeafExpr<'_, '_> {
    fn is_own(&self, label: Option<&Lifetime>) -> bool {
        let mut around = self.around.iter();
        around.any(|(is_loop, own)| match label {
            Some(label) => own.as_ref().is_some_and(|own| own.name == *label),
            None => *is_loop,
        })
    }

    /// The replacement for a `break` or `continue` of a lowered loop or block.
    fn jump(
        &mut self,
        label: Option<&Lifetime>,
        is_continue: bool,
        value: Option<&Expr>,
    ) -> Option<Expr> {
        if self.nested > 0 || self.is_own(label) {
            return None;
        }
        let Some(number) = self.lower.add_jump(label, is_continue, value.is_some()) else {
            // The compiler reports the missing target in the reference function.
            return Some(parse_quote!(__WellTyped::unresolved_jump()));
        };
        let (label, value) = (label_of(number), value.cloned());
        Some(built_exprs::break_with(
            Some(label),
            value,
            Span::call_site(),
        ))
    }

    /// Notes a `?` in a function whose output may be of another type than `Result` or `Option`.
    fn note_try(&mut self, node: &ExprTry) {
        if !self.lower.has_try_output {
            self.lower
                .fallbacks
                .note(FallbackReason::QuestionMark, node);
        }
    }

    /// Records a loop or labelled block that a jump in it can leave.
    fn enter(&mut self, expr: &Expr) {
        self.around.extend(match expr {
            Expr::Loop(node) => Some((true, node.label.clone())),
            Expr::While(node) => Some((true, node.label.clone())),
            Expr::Block(node) => Some((false, node.label.clone())),
            _ => None,
        });
    }

    fn within(&mut self, visit: impl FnOnce(&mut Self)) {
        self.nested += 1;
        visit(self);
        self.nested -= 1;
    }
}

impl VisitMut for LeafExpr<'_, '_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let around = self.around.len();
        self.enter(expr);
        visit_mut::visit_expr_mut(self, expr);
        self.around.truncate(around);
        let replaced = match expr {
            Expr::Break(node) => {
                let value = node.expr.as_deref().cloned();
                self.jump(node.label.clone().as_ref(), false, value.as_ref())
            }
            Expr::Continue(node) => self.jump(node.label.clone().as_ref(), true, None),
            Expr::Try(node) if self.nested == 0 => {
                self.note_try(node);
                None
            }
            _ => None,
        };
        if let Some(replaced) = replaced {
            *expr = replaced;
        }
    }

    fn visit_expr_for_loop_mut(&mut self, node: &mut syn::ExprForLoop) {
        self.visit_expr_mut(&mut node.expr);
        self.around.push((true, node.label.clone()));
        self.visit_block_mut(&mut node.body);
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        let is_known = each_argument(mac, |expr| self.visit_expr_mut(expr));
        if !is_known && self.nested == 0 && contains_ident(mac.tokens.clone(), "await") {
            self.lower.fallbacks.note(FallbackReason::AwaitInMacro, mac);
        }
    }

    fn visit_expr_closure_mut(&mut self, node: &mut ExprClosure) {
        self.within(|leaf| visit_mut::visit_expr_closure_mut(leaf, node));
    }

    fn visit_expr_async_mut(&mut self, node: &mut ExprAsync) {
        self.within(|leaf| visit_mut::visit_expr_async_mut(leaf, node));
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// The label of a jump with this number.
fn label_of(number: usize) -> Lifetime {
    Lifetime::new(&format!("'{JUMP}{number}"), Span::call_site())
}

/// Returns `true` if an operand diverges. No code after it is evaluated, and its type is unknown.
fn has_diverging_operand(expr: &Expr) -> bool {
    let mut operands = operands(expr, Use::Value).into_iter().flatten();
    operands.any(|(operand, _)| diverges(operand) || has_diverging_operand(operand))
}
