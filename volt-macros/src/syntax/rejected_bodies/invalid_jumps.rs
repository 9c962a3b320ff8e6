//! Jumps that the compiler rejects.
//!
//! The explicit layout rewrites loops and jumps. A jump without a target, or with a wrong type,
//! would be reported a second time there.

use syn::visit::{self, Visit};
use syn::{
    Block, Expr, ExprAsync, ExprBlock, ExprBreak, ExprClosure, ExprContinue, ExprForLoop, ExprLoop,
    ExprWhile, Item, Label, Lifetime,
};

/// Returns `true` if a jump has no target, or passes a value to a loop that has none.
pub(crate) fn has_invalid_jump(block: &Block) -> bool {
    let mut jumps = Jumps {
        targets: Vec::new(),
        is_wrong: false,
    };
    jumps.visit_block(block);
    jumps.is_wrong
}

/// The kind of a jump's target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TargetKind {
    /// `loop`
    Loop,
    /// `for` and `while`, which have no value.
    Counted,
    Block,
}

struct Jumps<'a> {
    /// The targets around the visited code, the innermost last.
    targets: Vec<(TargetKind, Option<&'a Label>)>,
    is_wrong: bool,
}

impl<'a> Jumps<'a> {
    fn within(&mut self, kind: TargetKind, label: Option<&'a Label>, body: &'a Block) {
        self.targets.push((kind, label));
        self.visit_block(body);
        self.targets.pop();
    }

    /// Visits a body of its own, which no jump can leave.
    fn visit_own_body(&mut self, body: impl FnOnce(&mut Self)) {
        let around = std::mem::take(&mut self.targets);
        body(self);
        self.targets = around;
    }

    fn target(&self, label: Option<&Lifetime>) -> Option<TargetKind> {
        let mut targets = self.targets.iter().rev();
        let found = targets.find(|(kind, own)| match label {
            Some(label) => own.is_some_and(|own| own.name == *label),
            None => *kind != TargetKind::Block,
        });
        found.map(|(kind, _)| *kind)
    }
}

impl<'a> Visit<'a> for Jumps<'a> {
    fn visit_expr_for_loop(&mut self, node: &'a ExprForLoop) {
        self.visit_expr(&node.expr);
        self.within(TargetKind::Counted, node.label.as_ref(), &node.body);
    }

    fn visit_expr_while(&mut self, node: &'a ExprWhile) {
        self.targets
            .push((TargetKind::Counted, node.label.as_ref()));
        self.visit_expr(&node.cond);
        self.targets.pop();
        self.within(TargetKind::Counted, node.label.as_ref(), &node.body);
    }

    fn visit_expr_loop(&mut self, node: &'a ExprLoop) {
        self.within(TargetKind::Loop, node.label.as_ref(), &node.body);
    }

    fn visit_expr_block(&mut self, node: &'a ExprBlock) {
        match &node.label {
            Some(label) => self.within(TargetKind::Block, Some(label), &node.block),
            None => self.visit_block(&node.block),
        }
    }

    fn visit_expr_break(&mut self, node: &'a ExprBreak) {
        let target = self.target(node.label.as_ref());
        let is_valued = node.expr.is_some() && target == Some(TargetKind::Counted);
        self.is_wrong |= target.is_none() || is_valued;
        visit::visit_expr_break(self, node);
    }

    fn visit_expr_continue(&mut self, node: &'a ExprContinue) {
        let target = self.target(node.label.as_ref());
        self.is_wrong |= matches!(target, None | Some(TargetKind::Block));
    }

    fn visit_expr_closure(&mut self, node: &'a ExprClosure) {
        self.visit_own_body(|jumps| jumps.visit_expr(&node.body));
    }

    fn visit_expr_async(&mut self, node: &'a ExprAsync) {
        self.visit_own_body(|jumps| jumps.visit_block(&node.block));
    }

    fn visit_expr(&mut self, node: &'a Expr) {
        match node {
            Expr::Const(node) => self.visit_own_body(|jumps| jumps.visit_block(&node.block)),
            node => visit::visit_expr(self, node),
        }
    }

    fn visit_item(&mut self, _: &'a Item) {}
}
