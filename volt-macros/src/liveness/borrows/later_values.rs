//! Values that locals receive after their declaration, and may contain from then on.
//!
//! ```text
//! list.push(&page)      fill(&mut list, &page)      last = Some(&page)      the local receives `page`
//! ```
//!
//! A pattern in a leaf expression binds the value that it is matched on. A `break` in one passes
//! its value to the local of the loop.

use std::collections::BTreeMap;

use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall, Local, Pat};

use crate::cfg::Cfg;
use crate::hir::{Body, LocalId, jump_of};
use crate::names::is_of_expansion;
use crate::resolve::named_in;

/// Values of locals.
pub(in crate::liveness) type Values = BTreeMap<LocalId, Vec<Expr>>;

/// For each local the values that methods, calls and assignments may pass to it; and the values
/// that patterns of leaf expressions bind to it. An await that borrows a local stores it for no
/// longer than the await: otherwise the machine does not compile.
pub(in crate::liveness) fn later_values(body: &Body, cfg: &Cfg) -> (Values, Values) {
    let mut collector = ValueCollector {
        body,
        cfg,
        found: Values::new(),
        bound: Values::new(),
    };
    let awaited: Vec<usize> = body.awaits.iter().map(|data| data.operand.0).collect();
    let exprs = body.exprs.iter().enumerate();
    for (_, expr) in exprs.filter(|(index, _)| !awaited.contains(index)) {
        collector.visit_expr(expr);
    }
    (collector.found, collector.bound)
}

struct ValueCollector<'b> {
    body: &'b Body,
    cfg: &'b Cfg,
    found: Values,
    bound: Values,
}

impl ValueCollector<'_> {
    fn pass<'e>(&mut self, place: &Expr, values: impl IntoIterator<Item = &'e Expr>) {
        let values: Vec<_> = values.into_iter().cloned().collect();
        let named = || named_in(place, &self.body.names);
        for local in self.root(place).map_or_else(named, |root| vec![root]) {
            self.found.entry(local).or_default().extend(values.clone());
        }
    }

    /// A method passes its arguments to its receiver, and its receiver to the parameters of its
    /// closures.
    fn method(&mut self, node: &ExprMethodCall) {
        self.pass(&node.receiver, &node.args);
        for arg in &node.args {
            if let Expr::Closure(closure) = arg {
                let inputs = closure.inputs.iter();
                inputs.for_each(|pat| self.bind(pat, &node.receiver));
            }
        }
    }

    fn bind(&mut self, pat: &Pat, value: &Expr) {
        for local in named_in(pat, &self.body.names) {
            self.bound.entry(local).or_default().push(value.clone());
        }
    }

    /// The local of which a place is a part, or with which a method chain begins.
    fn root(&self, place: &Expr) -> Option<LocalId> {
        match place {
            Expr::Path(_) => self.body.local_of(place),
            Expr::Field(node) => self.root(&node.base),
            Expr::Index(node) => self.root(&node.expr),
            Expr::Unary(node) => self.root(&node.expr),
            Expr::Paren(node) => self.root(&node.expr),
            Expr::Reference(node) => self.root(&node.expr),
            Expr::MethodCall(node) => self.root(&node.receiver),
            Expr::Try(node) => self.root(&node.expr),
            _ => None,
        }
    }
}

impl<'ast> Visit<'ast> for ValueCollector<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Assign(node) => self.pass(&node.left, [&*node.right]),
            Expr::Break(node) => {
                let taker = jump_of(node).and_then(|number| self.cfg.jumps[number].value);
                if let (Some(taker), Some(value)) = (taker, &node.expr) {
                    self.found.entry(taker).or_default().push(*value.clone());
                }
            }
            Expr::Call(node) if !is_of_expansion(&node.func) => {
                for arg in &node.args {
                    if matches!(arg, Expr::Reference(_)) {
                        self.pass(arg, &node.args);
                    }
                }
            }
            Expr::MethodCall(node) => self.method(node),
            Expr::ForLoop(node) => self.bind(&node.pat, &node.expr),
            Expr::Let(node) => self.bind(&node.pat, &node.expr),
            Expr::Match(node) => {
                let arms = node.arms.iter();
                arms.for_each(|arm| self.bind(&arm.pat, &node.expr));
            }
            _ => {}
        }
        visit::visit_expr(self, expr);
    }

    fn visit_local(&mut self, node: &'ast Local) {
        if let Some(init) = &node.init {
            self.bind(&node.pat, &init.expr);
        }
        visit::visit_local(self, node);
    }
}
