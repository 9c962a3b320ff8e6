//! `loop` and `while`, and what a `for` becomes.

use syn::{Block, Expr, ExprLoop, ExprWhile, Label, Pat, Token, Type};

use super::checker::Check;
use crate::state_machine::body::{Kind, LocalId, Loop, Origin};
use crate::state_machine::scope::bindings;

impl Check<'_> {
    pub(super) fn loop_expr(&mut self, node: &ExprLoop) -> Kind {
        self.turns(node.label.as_ref(), None, Vec::new(), &node.body)
    }

    pub(super) fn while_expr(&mut self, node: &ExprWhile) -> Kind {
        self.scoped(|this| {
            let cond = this.scrutinees(&node.cond, true);
            let bound = this.declare_lets(&node.cond);
            let cond = Some((node.while_token, cond));
            this.turns(node.label.as_ref(), cond, bound, &node.body)
        })
    }

    /// A `while` that was a `for`, with the name of the item and its type.
    pub(super) fn while_item(&mut self, node: &ExprWhile, item: &Pat, ty: &Type) -> Kind {
        self.scoped(|this| {
            let origin = Origin::Let { initialised: true };
            let bound = bindings(item).into_iter();
            let bound = bound.map(|binding| this.declare(&binding, Some(ty.clone()), origin));
            let bound = bound.collect();
            let cond = Some((node.while_token, (*node.cond).clone()));
            this.turns(node.label.as_ref(), cond, bound, &node.body)
        })
    }

    pub(super) fn turns(
        &mut self,
        label: Option<&Label>,
        cond: Option<(Token![while], Expr)>,
        bound: Vec<LocalId>,
        body: &Block,
    ) -> Kind {
        let label = self.turn_label(label, body);
        let depth = self.turns.len();
        self.turns.extend(label.clone());
        let body = self.block(None, body);
        self.turns.truncate(depth);
        Kind::Loop(Box::new(Loop {
            label,
            cond,
            bound,
            body,
        }))
    }
}
