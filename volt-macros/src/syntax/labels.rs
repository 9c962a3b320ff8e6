//! The attribute that only the macro knows: `#[state(Name)]`.

use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, Expr, Item, Stmt};

/// Takes the attributes that only the macro knows off a body.
pub(crate) fn without_labels(block: &mut Block) {
    Labels.visit_block_mut(block);
}

/// Whether only the macro knows the attribute.
pub(crate) fn is_label(attr: &Attribute) -> bool {
    attr.path().is_ident("state")
}

struct Labels;

impl VisitMut for Labels {
    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        if let Stmt::Local(local) = stmt {
            local.attrs.retain(|attr| !is_label(attr));
        }
        visit_mut::visit_stmt_mut(self, stmt);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Some(attrs) = attrs_of(expr) {
            attrs.retain(|attr| !is_label(attr));
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// The attributes of an expression that may stand as a statement.
pub(crate) fn attrs_of(expr: &mut Expr) -> Option<&mut Vec<Attribute>> {
    match expr {
        Expr::Await(node) => Some(&mut node.attrs),
        Expr::Try(node) => Some(&mut node.attrs),
        Expr::MethodCall(node) => Some(&mut node.attrs),
        Expr::Call(node) => Some(&mut node.attrs),
        Expr::If(node) => Some(&mut node.attrs),
        Expr::Match(node) => Some(&mut node.attrs),
        Expr::Loop(node) => Some(&mut node.attrs),
        Expr::While(node) => Some(&mut node.attrs),
        Expr::ForLoop(node) => Some(&mut node.attrs),
        Expr::Block(node) => Some(&mut node.attrs),
        Expr::Assign(node) => Some(&mut node.attrs),
        Expr::Binary(node) => Some(&mut node.attrs),
        Expr::Break(node) => Some(&mut node.attrs),
        Expr::Paren(node) => Some(&mut node.attrs),
        Expr::Path(node) => Some(&mut node.attrs),
        Expr::Unsafe(node) => Some(&mut node.attrs),
        Expr::Return(node) => Some(&mut node.attrs),
        Expr::Macro(node) => Some(&mut node.attrs),
        _ => None,
    }
}
