//! What of an expression lives through an await: where it is asked for.

use syn::Expr;

use super::checker::Check;
use super::extended::constant;
use super::lasting::{Lasting, When};
use super::promoted::{Proofs, is_named_constant, is_value};
use super::residue::is_bare_place;
use crate::state_machine::composed::operands_mut;
use crate::state_machine::errors::Rule;

impl Check<'_> {
    /// Proves what an expression leaves behind whose value is moved.
    pub(super) fn prove_lasting(&mut self, expr: &mut Expr, rule: Rule) {
        self.lasting(expr, rule, |lasting, expr| lasting.value(expr));
    }

    /// Proves what an expression leaves behind that is looked at.
    pub(super) fn prove_place(&mut self, expr: &mut Expr, rule: Rule) {
        self.lasting(expr, rule, |lasting, expr| lasting.place(expr));
    }

    pub(super) fn proofs(&self) -> Proofs<'_> {
        Proofs {
            volt: self.volt,
            generic: &self.generic,
            bound: &self.bound,
            relied: &self.relied,
        }
    }

    fn lasting(
        &mut self,
        expr: &mut Expr,
        rule: Rule,
        prove: impl FnOnce(&mut Lasting<'_>, &mut Expr),
    ) {
        let mut proven = expr.clone();
        let mut lasting = Lasting::new(self.proofs(), When::Always);
        prove(&mut lasting, &mut proven);
        match lasting.shows {
            true => self.errors.refuse(rule, expr),
            false => *expr = proven,
        }
    }

    /// Proves what a matched expression leaves behind, but for its own value.
    pub(super) fn prove_scrutinee(&mut self, scrutinee: &mut Expr) {
        match scrutinee {
            Expr::Path(path) if is_named_constant(path, self.proofs()) && !is_value(path) => {
                *scrutinee = constant(scrutinee, self.proofs());
            }
            _ => self.prove_lasting(scrutinee, Rule::ScrutineeTemporary),
        }
    }

    /// Proves, before edition 2024, that nobody can tell whether what a condition matches lives through
    /// the `else`. What it leaves on its way has been proven if the block `awaits`.
    pub(super) fn prove_unmatched(&self, cond: &mut Expr, awaits: bool) {
        match cond {
            Expr::Let(node) => {
                let is_place = is_bare_place(&node.expr);
                let mut lasting = Lasting::new(self.proofs(), When::Before2024);
                if !awaits {
                    lasting.value(&mut node.expr);
                }
                if !is_place {
                    lasting.unmatched(&mut node.expr, &node.pat);
                }
            }
            Expr::Binary(node) => {
                self.prove_unmatched(&mut node.left, awaits);
                self.prove_unmatched(&mut node.right, awaits);
            }
            _ => {}
        }
    }

    /// Proves what the operand of an await leaves behind.
    pub(super) fn prove_operand(&mut self, operand: &mut Expr) {
        for argument in operands_mut(operand) {
            self.prove_lasting(argument, Rule::LastingTemporary);
        }
        if let Expr::MethodCall(call) = operand {
            for argument in &mut call.args {
                self.prove_lasting(argument, Rule::LastingTemporary);
            }
        }
    }

    /// Proves what the head of a `for` leaves behind. The type of the iterator is written, and
    /// tells that its methods are those of the language.
    pub(super) fn prove_iterable(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Paren(node) => self.prove_iterable(&mut node.expr),
            Expr::Group(node) => self.prove_iterable(&mut node.expr),
            Expr::MethodCall(node) => {
                self.prove_iterable(&mut node.receiver);
                let arguments = node.args.iter_mut();
                arguments.for_each(|argument| self.prove_iterable(argument));
            }
            other => self.prove_lasting(other, Rule::ScrutineeTemporary),
        }
    }
}
