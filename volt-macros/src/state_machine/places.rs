//! Substitution in a whole body, each name from the declaration of its local on.

use proc_macro2::Ident;
use syn::visit_mut::VisitMut;
use syn::{Expr, Pat};

use super::body::{Await, Block, Body, Kind, LocalId, Node, Operand, Stmt};
use super::in_place::InPlace;
use super::scope::bindings;
use super::substitute::{Replacement, Substitute};

/// From its declaration on, `name` of a local that stays in its place becomes `(*name)`.
pub(crate) fn substitute(body: &mut Body, in_place: &InPlace, arguments: usize) {
    let place = |local| in_place.keeps(local).then_some(Replacement::Place);
    let replacements = (0..body.locals.len()).map(place).collect();
    replace(body, replacements, arguments);
}

/// Replaces the names of locals, in what is within their scopes.
pub(crate) fn replace(body: &mut Body, replacements: Vec<Option<Replacement>>, arguments: usize) {
    if replacements.iter().all(Option::is_none) {
        return;
    }
    let names: Vec<Ident> = body.locals.iter().map(|local| local.name.clone()).collect();
    let mut places = Places {
        names: &names,
        replacements: &replacements,
        active: Vec::new(),
    };
    places.declare(&(0..arguments).collect::<Vec<_>>());
    places.block(&mut body.root);
}

struct Places<'a> {
    names: &'a [Ident],
    replacements: &'a [Option<Replacement>],
    active: Vec<(String, Replacement)>,
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

    fn expr(&self, expr: &mut Expr) {
        Substitute::new(self.active.iter().cloned()).visit_expr_mut(expr);
    }

    fn block(&mut self, block: &mut Block) {
        self.scoped(|this| {
            for stmt in &mut block.stmts {
                match stmt {
                    Stmt::Let(stmt) => {
                        stmt.init.iter_mut().for_each(|init| this.node(init));
                        stmt.otherwise.iter_mut().for_each(|node| this.node(node));
                        this.hide(&stmt.source.pat);
                        this.declare(&stmt.locals);
                    }
                    Stmt::Item(_) => {}
                    Stmt::Expr { node, .. } => this.node(node),
                }
            }
        });
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
                    this.block(&mut found.then);
                });
                found.otherwise.iter_mut().for_each(|node| self.node(node));
            }
            Kind::Match(found) => {
                self.node(&mut found.scrutinee);
                for arm in &mut found.arms {
                    self.scoped(|this| {
                        this.hide(&arm.source.pat);
                        if let Pat::Guard(pat) = &mut arm.source.pat {
                            this.expr(&mut pat.guard);
                        }
                        this.node(&mut arm.body);
                    });
                }
            }
            Kind::Loop(found) => self.scoped(|this| {
                if let Some((_, cond)) = &mut found.cond {
                    this.expr(cond);
                    this.hide_lets(cond);
                }
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
                lends.iter_mut().flatten().for_each(|lend| self.expr(lend));
            }
            Operand::Closure(poll) | Operand::Borrowed(poll) => self.expr(poll),
        }
    }
}
