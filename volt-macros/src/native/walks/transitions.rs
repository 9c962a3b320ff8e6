//! The steps between the sites of a machine, for its diagram.
//!
//! A walk over the marked body in the order of evaluation. It carries the sites at which the
//! coroutine may have waited last. Each site that it reaches gets a step from all of them. Loops
//! are walked until nothing new is found. The walk cannot see the control flow of a macro. So it
//! assumes the jumps that the macro's tokens contain, and those of known macros with its name.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{
    BinOp, Block, Expr, ExprAwait, ExprBinary, ExprBlock, ExprBreak, ExprContinue, ExprForLoop,
    ExprIf, ExprLoop, ExprMatch, ExprMethodCall, ExprReturn, ExprTry, ExprWhile, Item, Label,
    Local, Macro, Type,
};

use crate::names::last_of;
use crate::syntax::{Arguments, visible_awaits};

type Sites = BTreeSet<usize>;

/// Returns the steps between the start, the sites of a marked body, and the end, which is `last`.
pub(in crate::native) fn transitions(body: &Block, last: usize) -> Vec<(usize, usize)> {
    let mut walk = TransitionWalk {
        at: Sites::from([0]),
        last,
        steps: BTreeSet::new(),
        around: Vec::new(),
    };
    walk.visit_block(body);
    walk.add_transitions_to(last);
    walk.steps.into_iter().collect()
}

/// A block or loop that `break` or `continue` can target.
struct JumpTarget {
    label: Option<Ident>,
    is_loop: bool,
    breaks: Sites,
    continues: Sites,
}

struct TransitionWalk {
    /// The sites at which the coroutine may have waited last, or none if the code is unreachable.
    at: Sites,
    last: usize,
    steps: BTreeSet<(usize, usize)>,
    around: Vec<JumpTarget>,
}

impl TransitionWalk {
    fn add_transitions_to(&mut self, site: usize) {
        let steps = self.at.iter().map(|from| (*from, site));
        self.steps.extend(steps);
    }

    /// Waits at a site, if the code is reachable.
    fn wait(&mut self, site: usize) {
        if !self.at.is_empty() {
            self.add_transitions_to(site);
            self.at = Sites::from([site]);
        }
    }

    /// Leaves the function.
    fn leave(&mut self) {
        self.add_transitions_to(self.last);
        self.at.clear();
    }

    fn enter_scope(
        &mut self,
        label: Option<&Label>,
        is_loop: bool,
        walk: impl FnOnce(&mut Self),
    ) -> JumpTarget {
        self.around.push(JumpTarget {
            label: label.map(|label| label.name.ident.clone()),
            is_loop,
            breaks: Sites::new(),
            continues: Sites::new(),
        });
        walk(self);
        self.around.pop().expect("pushed above")
    }

    /// Walks a loop until its head is reached from no new site. `turn` leaves in `at` the sites
    /// that go back to the head, and returns those that leave the loop at its head.
    fn walk_loop(&mut self, label: Option<&Label>, mut turn: impl FnMut(&mut Self) -> Sites) {
        let mut head = self.at.clone();
        loop {
            let mut left = Sites::new();
            self.at = head.clone();
            let around = self.enter_scope(label, true, |walk| left = turn(walk));
            let mut next = head.clone();
            next.extend(&self.at);
            next.extend(&around.continues);
            if next == head {
                self.at = left;
                self.at.extend(&around.breaks);
                return;
            }
            head = next;
        }
    }

    /// Jumps to the end of a target, or to the head of a loop.
    fn jump(&mut self, breaks: bool, label: Option<&Ident>) {
        let mut around = self.around.iter_mut().rev();
        let target = around.find(|around| match label {
            Some(label) => around.label.as_ref() == Some(label),
            None => around.is_loop,
        });
        if let Some(target) = target {
            let sites = if breaks {
                &mut target.breaks
            } else {
                &mut target.continues
            };
            sites.extend(&self.at);
        }
    }
}

/// Macros that may leave the function, although their tokens do not show it.
const LEAVE: &[&str] = &["bail", "ensure", "throw"];

/// The jumps in the tokens of a macro.
impl TransitionWalk {
    fn tokens(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Punct(sign) if sign.as_char() == '?' => {
                    self.add_transitions_to(self.last)
                }
                TokenTree::Ident(word) if word == "return" => self.add_transitions_to(self.last),
                // A `return` in an `async` block leaves another function.
                TokenTree::Ident(word) if word == "async" => {
                    tokens.next_if(|next| next.to_string() == "move");
                    tokens.next_if(|next| matches!(next, TokenTree::Group(_)));
                }
                TokenTree::Ident(word) if word == "break" || word == "continue" => {
                    let quote = tokens.next_if(|next| next.to_string() == "'");
                    let label = match quote.and_then(|_| tokens.next()) {
                        Some(TokenTree::Ident(label)) => Some(label),
                        _ => None,
                    };
                    self.jump(word == "break", label.as_ref());
                }
                _ => {}
            }
        }
    }
}

impl TransitionWalk {
    /// Walks the arguments of a macro. Behind its conditions, an assertion evaluates arguments only
    /// if it fails.
    fn visit_arguments(&mut self, arguments: &Arguments) {
        let conditions = arguments.conditions();
        let certain = conditions.unwrap_or(arguments.exprs.len());
        let mut values = arguments.values();
        for value in values.by_ref().take(certain) {
            self.visit_expr(value);
        }
        let passed = self.at.clone();
        values.for_each(|value| self.visit_expr(value));
        if conditions.is_some() {
            self.at = passed;
        }
    }
}

impl<'ast> Visit<'ast> for TransitionWalk {
    fn visit_expr_await(&mut self, node: &'ast ExprAwait) {
        visit::visit_expr_await(self, node);
        if let Expr::MethodCall(call) = &*node.base
            && let Some(site) = site_of(call)
        {
            self.wait(site);
        }
    }

    fn visit_expr_method_call(&mut self, node: &'ast ExprMethodCall) {
        visit::visit_expr_method_call(self, node);
        let is_entered = node.method == "enter_site" || node.method == "enter_branches";
        if is_entered && let Some(site) = site_of(node) {
            self.wait(site);
        }
    }

    fn visit_expr_if(&mut self, node: &'ast ExprIf) {
        self.visit_expr(&node.cond);
        let before = self.at.clone();
        self.visit_block(&node.then_branch);
        let then = std::mem::replace(&mut self.at, before);
        if let Some((_, otherwise)) = &node.else_branch {
            self.visit_expr(otherwise);
        }
        self.at.extend(then);
    }

    fn visit_expr_match(&mut self, node: &'ast ExprMatch) {
        self.visit_expr(&node.expr);
        let mut before = self.at.clone();
        let mut after = Sites::new();
        for arm in &node.arms {
            self.at.clone_from(&before);
            self.visit_pat(&arm.pat);
            before.extend(&self.at);
            self.visit_expr(&arm.body);
            after.append(&mut self.at);
        }
        self.at = after;
    }

    fn visit_expr_loop(&mut self, node: &'ast ExprLoop) {
        self.walk_loop(node.label.as_ref(), |walk| {
            walk.visit_block(&node.body);
            Sites::new()
        });
    }

    fn visit_expr_while(&mut self, node: &'ast ExprWhile) {
        self.walk_loop(node.label.as_ref(), |walk| {
            walk.visit_expr(&node.cond);
            let left = walk.at.clone();
            walk.visit_block(&node.body);
            left
        });
    }

    fn visit_expr_for_loop(&mut self, node: &'ast ExprForLoop) {
        self.visit_expr(&node.expr);
        self.walk_loop(node.label.as_ref(), |walk| {
            let left = walk.at.clone();
            walk.visit_block(&node.body);
            left
        });
    }

    fn visit_expr_block(&mut self, node: &'ast ExprBlock) {
        let around = self.enter_scope(node.label.as_ref(), false, |walk| {
            walk.visit_block(&node.block);
        });
        self.at.extend(around.breaks);
    }

    fn visit_expr_break(&mut self, node: &'ast ExprBreak) {
        visit::visit_expr_break(self, node);
        self.jump(true, node.label.as_ref().map(|label| &label.ident));
        self.at.clear();
    }

    fn visit_expr_continue(&mut self, node: &'ast ExprContinue) {
        self.jump(false, node.label.as_ref().map(|label| &label.ident));
        self.at.clear();
    }

    fn visit_expr_return(&mut self, node: &'ast ExprReturn) {
        visit::visit_expr_return(self, node);
        self.leave();
    }

    fn visit_expr_try(&mut self, node: &'ast ExprTry) {
        visit::visit_expr_try(self, node);
        self.add_transitions_to(self.last);
    }

    fn visit_expr_binary(&mut self, node: &'ast ExprBinary) {
        self.visit_expr(&node.left);
        let before = self.at.clone();
        self.visit_expr(&node.right);
        if matches!(node.op, BinOp::And(_) | BinOp::Or(_)) {
            self.at.extend(before);
        }
    }

    fn visit_local(&mut self, node: &'ast Local) {
        let Some(init) = &node.init else { return };
        self.visit_expr(&init.expr);
        if let Some((_, otherwise)) = &init.diverge {
            let before = self.at.clone();
            self.visit_expr(otherwise);
            self.at = before;
        }
    }

    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}

    fn visit_expr_async(&mut self, _: &'ast syn::ExprAsync) {}

    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}

    fn visit_macro(&mut self, node: &'ast Macro) {
        if let Some(arguments) = visible_awaits(node) {
            return self.visit_arguments(&arguments);
        }
        if last_of(&node.path).is_some_and(|last| LEAVE.iter().any(|name| last == name)) {
            self.add_transitions_to(self.last);
        }
        self.tokens(node.tokens.clone());
    }

    fn visit_type(&mut self, _: &'ast Type) {}

    fn visit_item(&mut self, _: &'ast Item) {}
}

/// Returns the number among the type arguments of a marked await or statement: `::<Table, 1, _>`.
fn site_of(call: &ExprMethodCall) -> Option<usize> {
    let number = call.turbofish.to_token_stream().into_iter().nth(5)?;
    number.to_string().parse().ok()
}
