//! Calls of a function by itself whose future is dropped at once.
//!
//! ```text
//! let _ = walk(n - 1);        discard(walk(n - 1));
//! walk(n - 1);                discard_unused(walk(n - 1));
//! ```
//!
//! The compiler queries whether the type of a dropped temporary contains an `UnsafeCell`, for which
//! it needs the type of each field. The size of the own machine depends on that, E0391. A value
//! that moves to a function has no such query, and is dropped at the same time.

use proc_macro2::Ident;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ImplItemFn, Item, ItemFn, Pat, Path, Stmt, parse_quote};

use super::own_uses::names_itself;

/// Moves such futures to a function. Returns `true` if there is one.
pub(crate) fn discard_own_futures(item: &mut ItemFn, volt: &Path) -> bool {
    if !names_itself(item) {
        return false;
    }
    let mut calls = DroppedCalls {
        name: &item.sig.ident,
        is_method: false,
        volt,
        found: false,
    };
    calls.visit_block_mut(&mut item.block);
    calls.found
}

/// Moves such futures of a method to a function, if they are bound to `_`. The output of
/// `other.walk();` may be of any type, and the compiler reports it if it must be used.
pub(crate) fn discard_own_futures_of_method(method: &mut ImplItemFn, volt: &Path) {
    let mut calls = DroppedCalls {
        name: &method.sig.ident,
        is_method: true,
        volt,
        found: false,
    };
    calls.visit_block_mut(&mut method.block);
}

struct DroppedCalls<'a> {
    name: &'a Ident,
    is_method: bool,
    volt: &'a Path,
    found: bool,
}

impl DroppedCalls<'_> {
    /// Returns `true` if an expression calls a function or a method of the name.
    fn is_own(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(node) => self.is_own(&node.expr),
            Expr::Call(node) => match &*node.func {
                Expr::Path(path) if self.is_method => {
                    let last = path.path.segments.last();
                    path.path.segments.len() > 1 && last.is_some_and(|it| it.ident == *self.name)
                }
                Expr::Path(path) => path.path.is_ident(self.name),
                _ => false,
            },
            Expr::MethodCall(node) => self.is_method && node.method == *self.name,
            _ => false,
        }
    }

    fn replaced(&self, stmt: &Stmt) -> Option<Stmt> {
        let volt = self.volt;
        match stmt {
            Stmt::Local(local) if local.attrs.is_empty() && matches!(local.pat, Pat::Wild(_)) => {
                let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
                let call = Some(&*init.expr).filter(|expr| self.is_own(expr))?;
                Some(parse_quote!(#volt::__private::native::discard(#call);))
            }
            Stmt::Expr(call, Some(_)) if !self.is_method && self.is_own(call) => {
                Some(parse_quote!(#volt::__private::native::discard_unused(#call);))
            }
            _ => None,
        }
    }
}

impl VisitMut for DroppedCalls<'_> {
    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        visit_mut::visit_stmt_mut(self, stmt);
        if let Some(replaced) = self.replaced(stmt) {
            *stmt = replaced;
            self.found = true;
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
