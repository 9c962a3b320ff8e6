//! The proof that names mean locals where a `use` may bring others into their scope.
//!
//! `use kinds::*` in a block hides the locals around it by the functions and constants of their names,
//! if there are any. So the twin takes the address of the place, which these do not have.

use proc_macro2::Ident;
use quote::quote_spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Arm, Block, Expr, ExprClosure, ExprForLoop, ExprIf, ExprWhile, Item, Pat, Stmt, UseTree, parse2,
};

use crate::state_machine::model::Machine;
use crate::state_machine::scope::{bindings, brings_all, items, names_of_use};

/// Asks for the places of these names in each block of the twin with a `use` that may bring them.
pub(super) fn ask(machine: &Machine, block: &mut Block) {
    let names = &machine.doubts.places;
    if !names.is_empty() {
        let params = machine.function.params.iter();
        let seen = params.map(|param| param.name.to_string()).collect();
        Ask { names, seen }.visit_block_mut(block);
    }
}

struct Ask<'a> {
    names: &'a [Ident],
    /// The locals that are seen here.
    seen: Vec<String>,
}

impl Ask<'_> {
    /// Visits what sees the bindings of a pattern.
    fn bound(&mut self, pats: &[&Pat], visit: impl FnOnce(&mut Self)) {
        let depth = self.seen.len();
        pats.iter().for_each(|pat| self.bind(pat));
        visit(self);
        self.seen.truncate(depth);
    }

    fn bind(&mut self, pat: &Pat) {
        let bound = bindings(pat).into_iter();
        self.seen.extend(bound.map(|it| it.ident.to_string()));
    }
}

impl VisitMut for Ask<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let depth = self.seen.len();
        for stmt in &mut block.stmts {
            self.visit_stmt_mut(stmt);
            if let Stmt::Local(local) = stmt {
                self.bind(&local.pat);
            }
        }
        self.seen.truncate(depth);
        let brought: Vec<&UseTree> = items(&block.stmts).filter_map(tree).collect();
        let may_be = |name: &Ident| {
            let mut brought = brought.iter();
            let is_seen = self.seen.iter().any(|seen| name == seen);
            is_seen && brought.any(|tree| brings_all(tree) || names_of_use(tree).contains(&name))
        };
        let mut asked: Vec<&Ident> = Vec::new();
        for name in self.names.iter().filter(|name| may_be(name)) {
            if !asked.contains(&name) {
                asked.push(name);
            }
        }
        let asked: Vec<Stmt> = asked.into_iter().filter_map(question).collect();
        block.stmts.splice(..0, asked);
    }

    fn visit_arm_mut(&mut self, arm: &mut Arm) {
        let pat = arm.pat.clone();
        self.bound(&[&pat], |this| visit_mut::visit_arm_mut(this, arm));
    }

    fn visit_expr_for_loop_mut(&mut self, node: &mut ExprForLoop) {
        let pat = (*node.pat).clone();
        self.visit_expr_mut(&mut node.expr);
        self.bound(&[&pat], |this| this.visit_block_mut(&mut node.body));
    }

    fn visit_expr_if_mut(&mut self, node: &mut ExprIf) {
        let cond = (*node.cond).clone();
        self.visit_expr_mut(&mut node.cond);
        let pats = pats_of_condition(&cond);
        self.bound(&pats, |this| this.visit_block_mut(&mut node.then_branch));
        if let Some((_, otherwise)) = &mut node.else_branch {
            self.visit_expr_mut(otherwise);
        }
    }

    fn visit_expr_while_mut(&mut self, node: &mut ExprWhile) {
        let cond = (*node.cond).clone();
        self.visit_expr_mut(&mut node.cond);
        let pats = pats_of_condition(&cond);
        self.bound(&pats, |this| this.visit_block_mut(&mut node.body));
    }

    fn visit_expr_closure_mut(&mut self, node: &mut ExprClosure) {
        let pats: Vec<Pat> = node.inputs.iter().cloned().collect();
        let pats: Vec<&Pat> = pats.iter().collect();
        self.bound(&pats, |this| this.visit_expr_mut(&mut node.body));
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// The patterns of the `let`s in a condition.
fn pats_of_condition(cond: &Expr) -> Vec<&Pat> {
    match cond {
        Expr::Let(node) => vec![&node.pat],
        Expr::Binary(node) => {
            let mut pats = pats_of_condition(&node.left);
            pats.extend(pats_of_condition(&node.right));
            pats
        }
        _ => Vec::new(),
    }
}

fn tree(item: &Item) -> Option<&UseTree> {
    match item {
        Item::Use(item) => Some(&item.tree),
        _ => None,
    }
}

fn question(name: &Ident) -> Option<Stmt> {
    let span = proc_macro2::Span::call_site().located_at(name.span());
    // Never reached, for the local may have no value.
    let asked = quote_spanned! {span=>
        #[allow(unreachable_code, reason = "asked, never run")]
        let () = 'asked: {
            break 'asked;
            let _ = &raw const #name;
        };
    };
    let block: Block = parse2(quote_spanned!(span=> { #asked })).ok()?;
    block.stmts.into_iter().next()
}
