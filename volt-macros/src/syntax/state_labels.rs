//! The attributes `#[state(Name)]` and `#[step]` of statements, which only the macro reads.

use proc_macro2::Ident;
use syn::parse::ParseStream;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, Expr, Item, LitStr, Stmt};

/// Removes these attributes from a body.
pub(crate) fn without_labels(block: &mut Block) {
    Labels.visit_block_mut(block);
}

struct Labels;

impl VisitMut for Labels {
    fn visit_attributes_mut(&mut self, attrs: &mut Vec<Attribute>) {
        attrs.retain(|attr| !is_label(attr) && !is_step(attr));
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

fn is_label(attr: &Attribute) -> bool {
    attr.path().is_ident("state")
}

/// Returns `true` for the attribute of a step.
pub(crate) fn is_step(attr: &Attribute) -> bool {
    attr.path().is_ident("step")
}

/// Removes the label from the attributes of a statement, if it has one.
pub(crate) fn take_label(attrs: &mut Vec<Attribute>, label: &mut Option<String>) {
    if let Some(index) = attrs.iter().position(is_label) {
        *label = attrs.remove(index).parse_args_with(name).ok();
    }
}

/// Parses a name, or the text that the macro derives for a step without a name.
fn name(input: ParseStream<'_>) -> syn::Result<String> {
    if input.peek(LitStr) {
        return Ok(input.parse::<LitStr>()?.value());
    }
    Ok(input.parse::<Ident>()?.to_string())
}

/// Removes the label from a statement, if it has one.
pub(crate) fn take_label_of_statement(stmt: &mut Stmt, label: &mut Option<String>) {
    with_attributes(stmt, &mut |attrs| take_label(attrs, label));
}

/// Removes the label from an expression that is a statement. An attribute before `a += b` belongs
/// to `a`.
pub(crate) fn take_label_of(expr: &mut Expr, label: &mut Option<String>) {
    with_attributes_of(expr, &mut |attrs| take_label(attrs, label));
}

/// Removes the attribute of a step from a statement, and returns it.
pub(crate) fn take_step(stmt: &mut Stmt) -> Option<Attribute> {
    let mut step = None;
    with_attributes(stmt, &mut |attrs| {
        if let Some(index) = attrs.iter().position(is_step) {
            step = Some(attrs.remove(index));
        }
    });
    step
}

/// A function that is called with a list of attributes.
type OnAttributes<'c> = &'c mut dyn FnMut(&mut Vec<Attribute>);

/// Calls a function with each list of attributes of a statement that is no item.
pub(crate) fn with_attributes(stmt: &mut Stmt, call: OnAttributes<'_>) {
    match stmt {
        Stmt::Local(node) => call(&mut node.attrs),
        Stmt::Macro(node) => call(&mut node.attrs),
        Stmt::Expr(expr, _) => with_attributes_of(expr, call),
        Stmt::Item(_) => {}
    }
}

fn with_attributes_of(expr: &mut Expr, call: OnAttributes<'_>) {
    visit_mut::visit_expr_mut(&mut FirstAttributes(Some(call)), expr);
    match expr {
        Expr::Assign(node) => with_attributes_of(&mut node.left, call),
        Expr::Binary(node) => with_attributes_of(&mut node.left, call),
        _ => {}
    }
}

/// Visits the attributes of one expression. They precede those of its parts.
struct FirstAttributes<'c>(Option<OnAttributes<'c>>);

impl VisitMut for FirstAttributes<'_> {
    fn visit_attributes_mut(&mut self, attrs: &mut Vec<Attribute>) {
        if let Some(call) = self.0.take() {
            call(attrs);
        }
    }

    fn visit_expr_mut(&mut self, _: &mut Expr) {}

    fn visit_block_mut(&mut self, _: &mut Block) {}
}
