//! The attribute `#[state(Name)]`, which only the macro reads.

use proc_macro2::Ident;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, Expr, Item};

/// Removes these attributes from a body.
pub(crate) fn without_labels(block: &mut Block) {
    Labels.visit_block_mut(block);
}

struct Labels;

impl VisitMut for Labels {
    fn visit_attributes_mut(&mut self, attrs: &mut Vec<Attribute>) {
        attrs.retain(|attr| !is_label(attr));
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

fn is_label(attr: &Attribute) -> bool {
    attr.path().is_ident("state")
}

/// Removes the label from the attributes of a statement, if it has one.
pub(crate) fn take_label(attrs: &mut Vec<Attribute>, label: &mut Option<Ident>) {
    if let Some(index) = attrs.iter().position(is_label) {
        *label = attrs.remove(index).parse_args().ok();
    }
}

/// Removes the label from an expression that is a statement. An attribute before `a += b` belongs
/// to `a`.
pub(crate) fn take_label_of(expr: &mut Expr, label: &mut Option<Ident>) {
    visit_mut::visit_expr_mut(&mut FirstAttributes(Some(label)), expr);
    match expr {
        Expr::Assign(node) => take_label_of(&mut node.left, label),
        Expr::Binary(node) => take_label_of(&mut node.left, label),
        _ => {}
    }
}

/// Visits the attributes of one expression. They precede those of its parts.
struct FirstAttributes<'l>(Option<&'l mut Option<Ident>>);

impl VisitMut for FirstAttributes<'_> {
    fn visit_attributes_mut(&mut self, attrs: &mut Vec<Attribute>) {
        if let Some(label) = self.0.take() {
            take_label(attrs, label);
        }
    }

    fn visit_expr_mut(&mut self, _: &mut Expr) {}

    fn visit_block_mut(&mut self, _: &mut Block) {}
}
