//! Control flow within expressions that stay whole, and what hides names there.

use quote::ToTokens;
use syn::{Block as SynBlock, Expr, Stmt as SynStmt};

use super::graph::{EXIT, Event, Place};
use super::pen::{Pen, Target};
use crate::state_machine::pattern::{is_some, moves_whole, moving_arms, unascribed};
use crate::state_machine::scope::items;

impl Pen<'_> {
    pub(super) fn control(&mut self, expr: &Expr) {
        match expr {
            Expr::Block(node) => self.plain_block(node.label.as_ref(), &node.block),
            Expr::Unsafe(node) => self.plain_block(None, &node.block),
            Expr::If(node) => self.plain_if(node),
            Expr::Match(node) => self.plain_match(node),
            Expr::Loop(node) => self.plain_loop(node.label.as_ref(), None, &node.body),
            Expr::While(node) => {
                self.plain_loop(node.label.as_ref(), Some(&*node.cond), &node.body);
            }
            Expr::ForLoop(node) => {
                self.value(&node.expr);
                self.scoped(|this| {
                    this.hide(&node.pat);
                    this.plain_loop_maybe(node.label.as_ref(), &node.body);
                });
            }
            Expr::Try(node) => {
                self.value(&node.expr);
                self.edge_to(EXIT);
            }
            Expr::Return(node) => {
                self.values(node.expr.as_deref());
                self.edge_to(EXIT);
                self.here = None;
            }
            Expr::Break(node) => {
                self.values(node.expr.as_deref());
                self.jump(node.label.as_ref(), false);
            }
            Expr::Continue(node) => self.jump(node.label.as_ref(), true),
            Expr::Closure(node) => self.capture(expr, node.capture.is_some()),
            Expr::Async(node) => self.capture(expr, node.capture.is_some()),
            Expr::Macro(node) => self.macro_call(&node.mac),
            Expr::Lit(_) | Expr::Const(_) => {}
            other => self.words(other.to_token_stream()),
        }
    }

    pub(super) fn plain_block(&mut self, label: Option<&syn::Label>, block: &SynBlock) {
        let after = self.place(Event::Nothing);
        self.targets.push(Target {
            label: label.map(|label| label.name.ident.to_string()),
            is_loop: false,
            after,
            head: None,
        });
        self.scoped(|this| this.plain_stmts(block));
        self.targets.pop();
        self.edge_to(after);
        self.land(after);
    }

    pub(super) fn plain_stmts(&mut self, block: &SynBlock) {
        self.items(items(&block.stmts));
        for stmt in &block.stmts {
            match stmt {
                SynStmt::Local(local) => self.plain_let(local),
                SynStmt::Item(_) => {}
                SynStmt::Expr(expr, _) => self.value(expr),
                SynStmt::Macro(mac) => {
                    self.macro_call(&mac.mac);
                    self.declares(&mac.mac);
                }
            }
        }
    }

    pub(super) fn plain_let(&mut self, local: &syn::Local) {
        let Some(init) = &local.init else {
            return self.hide(&local.pat);
        };
        let left = init.diverge.as_ref();
        let left = left.and_then(|_| self.left_by_else(&local.pat, &init.expr));
        match left {
            Some(left) => self.event(Event::Use(left)),
            None => self.initial(&local.pat, &init.expr),
        }
        if let Some((_, otherwise)) = &init.diverge {
            let here = self.here;
            self.value(otherwise);
            self.here = here;
        }
        if let Some(left) = left {
            self.takes_apart(left, unascribed(&local.pat));
            self.event(Event::Open(left));
        }
        self.hide(&local.pat);
    }

    /// A condition, up to where it holds; gives the place for where it does not. Its bindings stay
    /// in scope.
    pub(super) fn condition(&mut self, cond: &Expr) -> Place {
        let fails = self.place(Event::Nothing);
        self.operands(cond, fails);
        fails
    }

    /// The operands of a condition: each may be the last to be looked at.
    fn operands(&mut self, cond: &Expr, fails: Place) {
        match cond {
            Expr::Let(node) => {
                self.look(&node.expr);
                self.operand(node, fails);
                self.hide(&node.pat);
            }
            Expr::Binary(node) if matches!(node.op, syn::BinOp::And(_)) => {
                self.operands(&node.left, fails);
                self.operands(&node.right, fails);
            }
            other => {
                self.look(other);
                self.edge_to(fails);
            }
        }
    }

    /// A local is taken apart where the pattern matches; `None` leaves nothing behind either.
    fn operand(&mut self, node: &syn::ExprLet, fails: Place) {
        let moved = self.local(&node.expr).filter(|_| moves_whole(&node.pat));
        if let Some(local) = moved {
            self.takes_apart(local, &node.pat);
        }
        let is_some = is_some(&node.pat);
        if !is_some {
            self.edge_to(fails);
        }
        if let Some(local) = moved {
            self.event(Event::Open(local));
        }
        if is_some {
            self.edge_to(fails);
        }
    }

    pub(super) fn plain_if(&mut self, node: &syn::ExprIf) {
        let after = self.place(Event::Nothing);
        let names = self.names.len();
        let fails = self.condition(&node.cond);
        self.plain_block(None, &node.then_branch);
        self.names.truncate(names);
        self.edge_to(after);
        self.land(fails);
        if let Some((_, otherwise)) = &node.else_branch {
            self.value(otherwise);
        }
        self.edge_to(after);
        self.land(after);
    }

    pub(super) fn plain_match(&mut self, node: &syn::ExprMatch) {
        let after = self.place(Event::Nothing);
        self.look(&node.expr);
        let scrutinee = self.local(&node.expr);
        let decided = self.here;
        let moving = moving_arms(node.arms.iter().map(|arm| &arm.pat));
        for (arm, moves) in node.arms.iter().zip(moving) {
            self.here = decided;
            self.scoped(|this| {
                this.hide(&arm.pat);
                this.guard(&arm.pat);
                if let Some(local) = scrutinee.filter(|_| moves) {
                    this.takes_apart(local, &arm.pat);
                    this.event(Event::Open(local));
                }
                this.value(&arm.body);
            });
            self.edge_to(after);
        }
        self.land(after);
    }

    pub(super) fn plain_loop(
        &mut self,
        label: Option<&syn::Label>,
        cond: Option<&Expr>,
        body: &SynBlock,
    ) {
        let (after, head) = (self.place(Event::Nothing), self.place(Event::Nothing));
        self.go(head);
        self.targets.push(Target {
            label: label.map(|label| label.name.ident.to_string()),
            is_loop: true,
            after,
            head: Some(head),
        });
        self.scoped(|this| {
            if let Some(cond) = cond {
                let fails = this.condition(cond);
                this.flow.next[fails].push(after);
            }
            this.plain_stmts(body);
        });
        self.edge_to(head);
        self.targets.pop();
        self.land(after);
    }

    /// A loop that may run no time: that of `for`.
    pub(super) fn plain_loop_maybe(&mut self, label: Option<&syn::Label>, body: &SynBlock) {
        let (after, head) = (self.place(Event::Nothing), self.place(Event::Nothing));
        self.go(head);
        self.edge_to(after);
        self.targets.push(Target {
            label: label.map(|label| label.name.ident.to_string()),
            is_loop: true,
            after,
            head: Some(head),
        });
        self.scoped(|this| this.plain_stmts(body));
        self.edge_to(head);
        self.targets.pop();
        self.land(after);
    }
}
