//! Substitution in a whole body, each name from the declaration of its local on.
//!
//! Locals that stay in their place are reached through references, those that are moved on some
//! paths only through a `Maybe`.

use proc_macro2::Ident;
use syn::visit_mut::VisitMut;
use syn::{Expr, Pat, Path};

use super::body::{Arm, Await, Block, Body, Kind, Let, LocalId, Node, Operand, Stmt};
use super::in_place::InPlace;
use super::liveness::Points;
use super::pattern::{is_binding, is_some, unascribed};
use super::scope::{bindings, names_of_item};
use super::substitute::{Replacement, Substitute, unpacked_arm};

/// From its declaration on, `name` of a local that stays in its place becomes `(*name)`, and that
/// of one that is moved on some paths only `name.take()` where it is moved.
pub(crate) fn substitute(
    body: &mut Body,
    in_place: &InPlace,
    points: &Points,
    arguments: usize,
    volt: &Path,
) {
    let place = |local| match in_place.keeps(local) {
        true => Some(Replacement::Place),
        false if points.copied.contains(&local) => Some(Replacement::Copied),
        false => points.is_conditional(local).then_some(Replacement::Maybe),
    };
    let replacements = (0..body.locals.len()).map(place).collect();
    replace(body, replacements, arguments, volt);
}

/// Replaces the names of locals, in what is within their scopes.
pub(crate) fn replace(
    body: &mut Body,
    replacements: Vec<Option<Replacement>>,
    arguments: usize,
    volt: &Path,
) {
    if replacements.iter().all(Option::is_none) {
        return;
    }
    let names: Vec<Ident> = body.locals.iter().map(|local| local.name.clone()).collect();
    let mut places = Places {
        names: &names,
        replacements: &replacements,
        active: Vec::new(),
        volt,
    };
    places.declare(&(0..arguments).collect::<Vec<_>>());
    places.block(&mut body.root);
}

struct Places<'a> {
    names: &'a [Ident],
    replacements: &'a [Option<Replacement>],
    active: Vec<(String, Replacement)>,
    /// The path to volt.
    volt: &'a Path,
}

impl Places<'_> {
    fn declare(&mut self, locals: &[LocalId]) {
        let replaced = locals.iter().filter_map(|&local| {
            let replacement = self.replacements[local].clone()?;
            Some((self.names[local].to_string(), replacement))
        });
        let replaced: Vec<_> = replaced.collect();
        self.active.extend(replaced);
    }

    fn scoped(&mut self, body: impl FnOnce(&mut Self)) {
        let active = self.active.clone();
        body(self);
        self.active = active;
    }

    fn hide(&mut self, pat: &Pat) {
        let bound = bindings(pat);
        self.active
            .retain(|(name, _)| !bound.iter().any(|binding| binding.ident == name));
    }

    fn substitute(&self) -> Substitute {
        Substitute::with_volt(self.active.iter().cloned(), self.volt)
    }

    fn expr(&self, expr: &mut Expr) {
        self.substitute().visit_expr_mut(expr);
    }

    /// What is looked at during a poll, where all that is kept is there.
    fn lent(&self, expr: &mut Expr) {
        let there = self.active.iter();
        let there = there.filter(|(_, by)| !matches!(by, Replacement::Maybe | Replacement::Copied));
        Substitute::new(there.cloned()).visit_expr_mut(expr);
    }

    /// What is looked at, not moved.
    fn place(&mut self, node: &mut Node) {
        match &mut node.kind {
            Kind::Plain(expr) => self.substitute().visit_place_mut(expr),
            _ => self.node(node),
        }
    }

    fn block(&mut self, block: &mut Block) {
        self.scoped(|this| {
            this.hide_items(block);
            for stmt in &mut block.stmts {
                match stmt {
                    Stmt::Let(stmt) => this.let_stmt(stmt),
                    Stmt::Item(_) => {}
                    Stmt::Expr { node, .. } => this.node(node),
                }
            }
        });
    }

    fn hide_items(&mut self, block: &Block) {
        for stmt in &block.stmts {
            if let Stmt::Item(item) = stmt {
                let names = names_of_item(item);
                self.active
                    .retain(|(name, _)| !names.iter().any(|item| *item == name));
            }
        }
    }

    fn let_stmt(&mut self, stmt: &mut Let) {
        if let Some(init) = &mut stmt.init {
            let pat = &stmt.source.pat;
            match self.unpacked(init, pat) {
                Some((name, _)) if stmt.otherwise.is_some() && !is_some(unascribed(pat)) => {
                    stmt.unpacked = Some(name);
                }
                Some(_) => self.node(init),
                None if is_binding(pat) => self.node(init),
                None => self.place(init),
            }
        }
        stmt.otherwise.iter_mut().for_each(|node| self.node(node));
        self.hide(&stmt.source.pat);
        self.declare(&stmt.locals);
    }

    /// The local that is named, if it may be gone and the pattern takes it apart, and volt.
    fn unpacked(&self, node: &Node, pat: &Pat) -> Option<(Ident, Path)> {
        match &node.kind {
            Kind::Plain(expr) => self.substitute().unpacked(expr, pat),
            _ => None,
        }
    }

    fn arm(&mut self, scrutinee: &Node, arm: &mut Arm) {
        let unpacked = self.unpacked(scrutinee, &arm.source.pat);
        self.scoped(|this| {
            this.hide(&arm.source.pat);
            // What a guard looks at is not yet what may be gone.
            if let Pat::Guard(pat) = &mut arm.source.pat {
                this.expr(&mut pat.guard);
            }
            this.declare(&arm.bound);
            this.node(&mut arm.body);
        });
        let made = unpacked.map(|(name, volt)| unpacked_arm(&name, &mut arm.source.pat, &volt));
        arm.unpacked = made;
    }

    fn node(&mut self, node: &mut Node) {
        match &mut node.kind {
            Kind::Plain(expr) => self.expr(expr),
            Kind::Await(point) => self.await_point(point),
            Kind::Spine(spine) => {
                self.node(&mut spine.inner);
                self.expr(&mut spine.template);
            }
            Kind::Block(block) => self.block(block),
            Kind::If(found) => {
                self.scoped(|this| {
                    this.node(&mut found.cond);
                    if let Kind::Plain(cond) = &found.cond.kind {
                        this.hide_lets(cond);
                    }
                    this.declare(&found.bound);
                    this.block(&mut found.then);
                });
                found.otherwise.iter_mut().for_each(|node| self.node(node));
            }
            Kind::Match(found) => {
                for arm in &mut found.arms {
                    self.arm(&found.scrutinee, arm);
                }
                self.place(&mut found.scrutinee);
            }
            Kind::Loop(found) => self.scoped(|this| {
                if let Some((_, cond)) = &mut found.cond {
                    this.expr(cond);
                    this.hide_lets(cond);
                }
                this.declare(&found.bound);
                this.block(&mut found.body);
            }),
        }
    }

    fn hide_lets(&mut self, cond: &Expr) {
        match cond {
            Expr::Let(node) => self.hide(&node.pat),
            Expr::Binary(node) => {
                self.hide_lets(&node.left);
                self.hide_lets(&node.right);
            }
            _ => {}
        }
    }

    fn await_point(&self, point: &mut Await) {
        match &mut point.operand {
            Operand::Stored { value, .. } => self.expr(value),
            Operand::Call { value, lends, .. } => {
                self.expr(value);
                lends.iter_mut().flatten().for_each(|lend| self.lent(lend));
            }
            Operand::Composed { value, parts, .. } => {
                self.expr(value);
                let mut lend = |expr: &mut Expr| self.lent(expr);
                parts
                    .iter_mut()
                    .for_each(|part| part.each_lend_mut(&mut lend));
            }
            Operand::Closure(poll) | Operand::Borrowed(poll) => self.lent(poll),
        }
    }
}
