//! The parts that are taken apart: statements, awaits, constructs that hold an await.

use syn::{Expr, Pat};

use super::graph::Event;
use super::pen::{Pen, Target};
use crate::state_machine::body::{
    Arm, Await, Block, If, Kind, Let, LocalId, Loop, Match, Node, NodeId, Operand, Origin, Stmt,
};
use crate::state_machine::callee::arguments;
use crate::state_machine::composed::{Part, operands};
use crate::state_machine::pattern::{is_some, moves_whole, moving_arms, unascribed};
use crate::state_machine::scope::plain_name;

impl Pen<'_> {
    pub(super) fn block(&mut self, block: &Block) {
        self.scoped(|this| {
            let items = block.stmts.iter().filter_map(|stmt| match stmt {
                Stmt::Item(item) => Some(&**item),
                _ => None,
            });
            this.doubt_uses(items.clone());
            this.items(items);
            for stmt in &block.stmts {
                match stmt {
                    Stmt::Let(stmt) => this.let_stmt(stmt),
                    Stmt::Item(_) => {}
                    Stmt::Expr { node, .. } => {
                        this.node(node);
                        if let Kind::Plain(Expr::Macro(node)) = &node.kind {
                            this.declares(&node.mac);
                        }
                    }
                }
            }
        });
    }

    pub(super) fn let_stmt(&mut self, stmt: &Let) {
        let mut matched = None;
        match &stmt.init {
            Some(Node {
                kind: Kind::Plain(expr),
                ..
            }) => match self.left_by(stmt, expr) {
                Some(local) => {
                    self.event(Event::Use(local));
                    matched = Some(local);
                }
                None => self.initial(&stmt.source.pat, expr),
            },
            Some(node) => self.node(node),
            None => {}
        }
        if let Some(otherwise) = &stmt.otherwise {
            let here = self.here;
            self.node(otherwise);
            self.here = here;
        }
        if let Some(local) = matched {
            self.takes_apart(local, unascribed(&stmt.source.pat));
            self.event(Event::Open(local));
        }
        for &local in &stmt.locals {
            let origin = self.body.locals[local].origin;
            self.declare(local, origin != Origin::Let { initialised: false });
        }
    }

    /// The local that a `let .. else` takes all of, if it matches, and leaves whole, if not.
    fn left_by(&self, stmt: &Let, init: &Expr) -> Option<LocalId> {
        stmt.otherwise.as_ref()?;
        self.left_by_else(&stmt.source.pat, init)
    }

    /// The same for the pattern and initial value of one.
    pub(super) fn left_by_else(&self, pat: &Pat, init: &Expr) -> Option<LocalId> {
        let pat = unascribed(pat);
        let leaves = moves_whole(pat) && !is_some(pat);
        leaves.then(|| self.local(init))?
    }

    pub(super) fn node(&mut self, node: &Node) {
        self.flow.constructs.push((node.id, node.end));
        match &node.kind {
            Kind::Plain(expr) => self.value(expr),
            Kind::Await(point) => self.await_point(node.id, point),
            Kind::Spine(spine) => {
                self.node(&spine.inner);
                self.value(&spine.template);
            }
            Kind::Block(block) => self.labelled(node.id, block),
            Kind::If(node_if) => self.if_node(node.id, node_if),
            Kind::Match(node_match) => self.match_node(node.id, node_match),
            Kind::Loop(node_loop) => self.loop_node(node.id, node_loop),
        }
    }

    pub(super) fn await_point(&mut self, id: NodeId, point: &Await) {
        match &point.operand {
            Operand::Stored { value, .. } => self.value(value),
            Operand::Call { value, lends, .. } => self.lending_call(value, lends),
            Operand::Composed { value, parts, .. } => self.composed(value, parts),
            Operand::Closure(_) | Operand::Borrowed(_) => {}
        }
        let place = self.point(Event::Suspend(id));
        self.go(place);
        match &point.operand {
            Operand::Stored { .. } => {}
            Operand::Call { lends, .. } => {
                lends.iter().flatten().for_each(|lend| self.look(lend));
            }
            Operand::Composed { parts, .. } => {
                let mut look = |lend| self.look(lend);
                parts.iter().for_each(|part| part.each_lend(&mut look));
            }
            Operand::Closure(poll) | Operand::Borrowed(poll) => self.look(poll),
        }
    }

    pub(super) fn lending_call(&mut self, value: &Expr, lends: &[Option<Expr>]) {
        for (argument, lend) in arguments(value).zip(lends) {
            match lend {
                Some(_) => self.look(argument),
                None => self.value(argument),
            }
        }
    }

    fn composed(&mut self, value: &Expr, parts: &[Part]) {
        for (operand, part) in operands(value).into_iter().zip(parts) {
            match part {
                Part::Value | Part::Owned => self.value(operand),
                Part::Lent(call) => self.lending_call(operand, &call.lends),
                Part::Borrowed(..) => {}
                Part::Composed(parts) => self.composed(operand, parts),
            }
        }
    }

    pub(super) fn labelled(&mut self, id: NodeId, block: &Block) {
        let Some(label) = &block.label else {
            return self.block(block);
        };
        let after = self.point(Event::After(id));
        self.targets.push(Target {
            label: Some(label.name.ident.to_string()),
            is_loop: false,
            after,
            head: None,
        });
        self.block(block);
        self.targets.pop();
        self.edge_to(after);
        self.land(after);
    }

    pub(super) fn if_node(&mut self, id: NodeId, node: &If) {
        let after = self.point(Event::After(id));
        let names = self.names.len();
        let fails = match &node.cond.kind {
            Kind::Plain(cond) => self.condition(cond),
            Kind::Spine(spine) => {
                self.node(&spine.inner);
                self.condition(&spine.template)
            }
            _ => {
                self.node(&node.cond);
                let fails = self.place(Event::Nothing);
                self.edge_to(fails);
                fails
            }
        };
        self.scoped(|this| {
            node.bound
                .iter()
                .for_each(|&local| this.declare(local, true));
            this.block(&node.then);
        });
        self.names.truncate(names);
        self.edge_to(after);
        self.land(fails);
        if let Some(otherwise) = &node.otherwise {
            self.node(otherwise);
        }
        self.edge_to(after);
        self.land(after);
    }

    pub(super) fn match_node(&mut self, id: NodeId, node: &Match) {
        let after = self.point(Event::After(id));
        let scrutinee = match &node.scrutinee.kind {
            Kind::Plain(expr) => {
                self.look(expr);
                plain_name(expr).and_then(|name| self.lookup(&name.to_string()))
            }
            _ => {
                self.node(&node.scrutinee);
                None
            }
        };
        let decided = self.here;
        let moving = moving_arms(node.arms.iter().map(|arm| &arm.source.pat));
        for (arm, moves) in node.arms.iter().zip(moving) {
            self.here = decided;
            if let Some(local) = scrutinee.filter(|_| moves) {
                self.takes_apart(local, &arm.source.pat);
            }
            self.scoped(|this| this.arm(arm, scrutinee.filter(|_| moves)));
            self.edge_to(after);
        }
        self.land(after);
    }

    pub(super) fn arm(&mut self, arm: &Arm, moved: Option<LocalId>) {
        arm.bound
            .iter()
            .for_each(|&local| self.declare(local, true));
        self.guard(&arm.source.pat);
        if let Some(local) = moved {
            self.event(Event::Open(local));
        }
        self.node(&arm.body);
    }

    pub(super) fn guard(&mut self, pat: &Pat) {
        if let Pat::Guard(pat) = pat {
            self.value(&pat.guard);
        }
    }

    pub(super) fn loop_node(&mut self, id: NodeId, node: &Loop) {
        let after = self.point(Event::After(id));
        let head = self.point(Event::Head(id));
        self.go(head);
        self.targets.push(Target {
            label: node
                .label
                .as_ref()
                .map(|label| label.name.ident.to_string()),
            is_loop: true,
            after,
            head: Some(head),
        });
        self.scoped(|this| {
            if let Some((_, cond)) = &node.cond {
                let fails = this.condition(cond);
                this.flow.next[fails].push(after);
                node.bound
                    .iter()
                    .for_each(|&local| this.declare(local, true));
            }
            this.block(&node.body);
        });
        self.edge_to(head);
        self.targets.pop();
        self.land(after);
    }
}
