//! Coercions of the values of branches that await to the expected type of the construct.

use proc_macro2::Ident;
use syn::visit::Visit;
use syn::{Block, Expr, ExprBreak};

use super::lowering::Lower;
use crate::fallback::FallbackReason;
use crate::hir::facts::has_await;
use crate::names::{is_variant, last_of};

impl Lower<'_> {
    /// Notes the values of branches that may be coerced to the type which is expected of the
    /// construct.
    pub(in crate::hir) fn check_coercion(&mut self, expr: &Expr) {
        let mut ends = Vec::new();
        if has_await(expr) {
            ends_of(expr, &mut ends);
        }
        for end in ends {
            let is_function = matches!(end, Expr::Path(node) if last_of(&node.path).is_some_and(is_lower))
                && self.body.local_of(end).is_none();
            if is_function || may_be_coerced(end) {
                self.fallbacks.note(FallbackReason::Coercion, end);
            }
        }
    }
}

/// The expressions that return the value of a construct.
fn ends_of<'e>(expr: &'e Expr, ends: &mut Vec<&'e Expr>) {
    match expr {
        Expr::If(node) => {
            end_of(&node.then_branch, ends);
            if let Some((_, otherwise)) = &node.else_branch {
                ends_of(otherwise, ends);
            }
        }
        Expr::Match(node) => node.arms.iter().for_each(|arm| ends_of(&arm.body, ends)),
        Expr::Block(node) => {
            Breaks(ends).visit_expr(expr);
            end_of(&node.block, ends);
        }
        Expr::Paren(node) => ends_of(&node.expr, ends),
        Expr::Loop(_) => Breaks(ends).visit_expr(expr),
        end => ends.push(end),
    }
}

/// The values of `break`, except those of calls, because nearly all are calls.
struct Breaks<'e, 'f>(&'f mut Vec<&'e Expr>);

impl<'e> Visit<'e> for Breaks<'e, '_> {
    fn visit_expr_break(&mut self, node: &'e ExprBreak) {
        let value = node.expr.as_deref().into_iter();
        let is_call = |value: &&Expr| matches!(value, Expr::Call(_)) && wrapped(value).is_none();
        self.0.extend(value.filter(|value| !is_call(value)));
    }
}

fn end_of<'e>(block: &'e Block, ends: &mut Vec<&'e Expr>) {
    if let Some(syn::Stmt::Expr(end, None)) = block.stmts.last() {
        ends_of(end, ends);
    }
}

/// Returns `true` if a name begins with a lower-case letter, as the names of functions do.
fn is_lower(name: &Ident) -> bool {
    name.to_string().starts_with(char::is_lowercase)
}

/// Returns `true` for expressions that are often coerced: references, closures, and owning pointers
/// such as `Box::new(..)`.
fn may_be_coerced(value: &Expr) -> bool {
    match value {
        Expr::Reference(_) | Expr::Closure(_) => true,
        Expr::Paren(node) => may_be_coerced(&node.expr),
        Expr::Tuple(node) => node.elems.iter().any(may_be_coerced),
        Expr::Call(node) => match wrapped(value) {
            Some(value) => may_be_coerced(value),
            None => matches!(&*node.func, Expr::Path(path) if path.path.segments.len() > 1),
        },
        _ => false,
    }
}

/// The value inside of a variant: `Ok(value)`.
fn wrapped(value: &Expr) -> Option<&Expr> {
    let Expr::Call(node) = value else { return None };
    let Expr::Path(variant) = &*node.func else {
        return None;
    };
    let is_variant = variant.path.get_ident().is_some_and(is_variant);
    node.args.first().filter(|_| is_variant)
}
