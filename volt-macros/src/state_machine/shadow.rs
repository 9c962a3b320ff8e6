//! Unique names for locals that are in scope together.
//!
//! `let x: A = ..; { let x: B = ..; f().await; use(x) } use(x)` keeps two locals named `x` in one
//! state. Before anything else is decided, the later one is renamed to `x_2`, in its pattern and
//! in everything that means it. Locals whose scopes are apart keep their names. Where a macro may
//! tell the name, or whatever it means, only those are renamed that the machine really keeps together.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Pat, Stmt};

use super::body::holds_await;
use super::called::called;
use super::errors::{Errors, Rule};
use super::parse::Function;
use super::scope::{bindings, items, names_of_item, rename_binding};
use super::substitute::{Replacement, Substitute};

/// Renames in the body of `function`. If that cannot be, only what `needed` tells.
pub(crate) fn rename(
    function: &mut Function,
    needed: impl FnOnce(&Function) -> BTreeSet<String>,
    errors: &mut Errors,
) {
    let before = function.item.block.clone();
    let found = rename_if(function, None);
    if found.is_empty() {
        return;
    }
    function.item.block = before;
    let needed = needed(function);
    errors.append(rename_if(function, Some(&needed)));
}

/// Renames the names that are needed, or all, and returns what could not be.
fn rename_if(function: &mut Function, needed: Option<&BTreeSet<String>>) -> Errors {
    let names = function.params.iter().map(|param| param.name.to_string());
    let mut errors = Errors::default();
    let mut rename = Rename {
        in_scope: names.collect(),
        called: called(&function.item.block),
        needed,
        aside: false,
        depth: 0,
        errors: &mut errors,
    };
    rename.visit_block_mut(&mut function.item.block);
    errors
}

struct Rename<'a> {
    in_scope: Vec<String>,
    /// The functions that are called. A local of an inner block is kept under its name where the code
    /// behind that block stands too.
    called: Vec<String>,
    /// The names that have to be unique, if not all.
    needed: Option<&'a BTreeSet<String>>,
    /// Whether the names of the next pattern make way for later ones.
    aside: bool,
    /// How many blocks are around.
    depth: usize,
    errors: &'a mut Errors,
}

impl Rename<'_> {
    /// Renames in what a pattern begins, which makes way for later names if that is the only way.
    fn choose<N: Clone>(&mut self, node: &mut N, rename: impl Fn(&mut Rename, &mut N)) {
        let before = node.clone();
        let mut found = self.attempt(node, false, &rename);
        if !found.is_empty() {
            let mut other = before;
            if self.attempt(&mut other, true, &rename).is_empty() {
                (*node, found) = (other, Errors::default());
            }
        }
        self.errors.append(found);
    }

    /// Renames in `node`, and returns what could not be.
    fn attempt<N>(
        &self,
        node: &mut N,
        aside: bool,
        rename: impl Fn(&mut Rename, &mut N),
    ) -> Errors {
        let mut errors = Errors::default();
        let mut attempt = Rename {
            in_scope: self.in_scope.clone(),
            called: self.called.clone(),
            needed: self.needed,
            aside,
            depth: self.depth,
            errors: &mut errors,
        };
        rename(&mut attempt, node);
        errors
    }

    /// Enters the names of `pat` into the scope, and gives those to be renamed.
    fn declare(&mut self, pat: &Pat, aside: bool) -> Vec<(Ident, String)> {
        self.declare_in(pat, aside, true)
    }

    /// The same, and whether the scope is that of an inner block.
    fn declare_in(&mut self, pat: &Pat, aside: bool, is_inner: bool) -> Vec<(Ident, String)> {
        let mut renamed = Vec::new();
        for binding in bindings(pat) {
            let name = binding.ident.to_string();
            let aside = aside || is_inner && self.called.contains(&name);
            let new = self.unused(&name, aside);
            if new != name {
                renamed.push((binding.ident, new.clone()));
            }
            self.in_scope.push(new);
        }
        renamed
    }

    fn unused(&self, name: &str, aside: bool) -> String {
        if self.needed.is_some_and(|needed| !needed.contains(name)) {
            return name.to_owned();
        }
        let mut new = name.to_owned();
        let mut count = 1;
        while self.in_scope.contains(&new) || aside && new == name {
            count += 1;
            let name = name.strip_prefix("r#").unwrap_or(name);
            new = format!("{name}_{count}");
        }
        new
    }

    fn substitute(&mut self, renamed: &[(Ident, String)], apply: impl FnOnce(&mut Substitute)) {
        if renamed.is_empty() {
            return;
        }
        let names = renamed
            .iter()
            .map(|(from, to)| (from.to_string(), Replacement::Name(to.clone())));
        let mut substitute = Substitute::new(names);
        apply(&mut substitute);
        for ident in substitute.opaque {
            self.errors.refuse(Rule::ShadowedInMacro, &ident);
        }
    }

    fn scoped(&mut self, body: impl FnOnce(&mut Self)) {
        let depth = self.in_scope.len();
        body(self);
        self.in_scope.truncate(depth);
    }

    fn statements(&mut self, stmts: &mut [Stmt]) {
        for name in items(stmts).flat_map(names_of_item) {
            if self.in_scope.iter().any(|known| name == known) {
                self.errors.refuse(Rule::ItemOfLocal, name);
            }
        }
        for index in 0..stmts.len() {
            self.visit_stmt_mut(&mut stmts[index]);
            let Stmt::Local(local) = &mut stmts[index] else {
                continue;
            };
            let renamed = self.declare_in(&local.pat, false, self.depth > 1);
            for (from, to) in &renamed {
                rename_binding(&mut local.pat, from, to);
            }
            let rest = &mut stmts[index + 1..];
            self.substitute(&renamed, |substitute| substitute.statements(rest));
        }
    }
}

impl VisitMut for Rename<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        if block.stmts.iter().any(holds_await) {
            self.depth += 1;
            self.scoped(|this| this.statements(&mut block.stmts));
            self.depth -= 1;
        }
    }

    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        if holds_await(&*arm.body) {
            self.choose(arm, |this, arm| this.arm(arm));
        }
    }

    fn visit_expr_if_mut(&mut self, node: &mut syn::ExprIf) {
        self.choose(node, |this, node| {
            this.condition(&mut node.cond, &mut node.then_branch);
        });
        if let Some((_, otherwise)) = &mut node.else_branch {
            self.visit_expr_mut(otherwise);
        }
    }

    fn visit_expr_while_mut(&mut self, node: &mut syn::ExprWhile) {
        self.choose(node, |this, node| {
            this.condition(&mut node.cond, &mut node.body)
        });
    }

    fn visit_expr_for_loop_mut(&mut self, node: &mut syn::ExprForLoop) {
        self.visit_expr_mut(&mut node.expr);
        self.scoped(|this| {
            if holds_await(&node.body) {
                let renamed = this.declare(&node.pat, false);
                for (from, to) in &renamed {
                    rename_binding(&mut node.pat, from, to);
                }
                this.substitute(&renamed, |substitute| {
                    substitute.visit_block_mut(&mut node.body);
                });
            }
            this.visit_block_mut(&mut node.body);
        });
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}

    fn visit_expr_async_mut(&mut self, _: &mut syn::ExprAsync) {}

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

impl Rename<'_> {
    fn arm(&mut self, arm: &mut syn::Arm) {
        let aside = std::mem::take(&mut self.aside);
        let renamed = self.declare(&arm.pat, aside);
        for (from, to) in &renamed {
            rename_binding(&mut arm.pat, from, to);
        }
        self.substitute(&renamed, |substitute| {
            substitute.visit_pat_mut(&mut arm.pat);
            substitute.visit_expr_mut(&mut arm.body);
        });
        self.visit_expr_mut(&mut arm.body);
    }

    /// A condition whose `let`s reach into the block behind it.
    fn condition(&mut self, cond: &mut Expr, block: &mut Block) {
        let aside = std::mem::take(&mut self.aside);
        if holds_await(&*block) {
            let renamed = self.declare_lets(cond, aside);
            self.substitute(&renamed, |substitute| {
                // Later operands of the chain see the names of the earlier ones.
                rename_lets(cond, &renamed, &mut Vec::new());
                substitute.visit_block_mut(block);
            });
        }
        visit_mut::visit_expr_mut(self, cond);
        self.visit_block_mut(block);
    }

    fn declare_lets(&mut self, cond: &Expr, aside: bool) -> Vec<(Ident, String)> {
        match cond {
            Expr::Let(node) => self.declare(&node.pat, aside),
            Expr::Binary(node) => {
                let mut renamed = self.declare_lets(&node.left, aside);
                renamed.extend(self.declare_lets(&node.right, aside));
                renamed
            }
            _ => Vec::new(),
        }
    }
}

/// Renames the bindings of a condition; uses before a binding keep the outer name.
fn rename_lets(cond: &mut Expr, renamed: &[(Ident, String)], bound: &mut Vec<(Ident, String)>) {
    match cond {
        Expr::Binary(node) => {
            rename_lets(&mut node.left, renamed, bound);
            rename_lets(&mut node.right, renamed, bound);
        }
        Expr::Let(node) => {
            substitute_bound(&mut node.expr, bound);
            for (from, to) in renamed {
                if bindings(&node.pat)
                    .iter()
                    .any(|binding| binding.ident == *from)
                {
                    rename_binding(&mut node.pat, from, to);
                    bound.push((from.clone(), to.clone()));
                }
            }
        }
        other => substitute_bound(other, bound),
    }
}

fn substitute_bound(expr: &mut Expr, bound: &[(Ident, String)]) {
    let names = bound
        .iter()
        .map(|(from, to)| (from.to_string(), Replacement::Name(to.clone())));
    Substitute::new(names).visit_expr_mut(expr);
}
