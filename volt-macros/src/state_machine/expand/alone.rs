//! The proof that macros among the statements declare no locals.
//!
//! What `defer!(..)` declares lives to the end of the block, where the machine cannot see it: it
//! would be dropped at the next await. So where a macro that is not known stands as a statement
//! before an await of its block, it stands in parentheses in the twin, where a `let` is an error.

use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Expr, ExprAsync, ExprClosure, ExprMacro, Item, Macro, Stmt, StmtMacro, parse_quote,
};

use crate::state_machine::body::holds_await;
use crate::state_machine::macros::known;

/// Puts macros into parentheses, and tells whether there are any.
pub(super) fn enclose(block: &mut Block) -> bool {
    let mut enclose = Enclose(false);
    enclose.visit_block_mut(block);
    enclose.0
}

struct Enclose(bool);

impl VisitMut for Enclose {
    fn visit_block_mut(&mut self, block: &mut Block) {
        visit_mut::visit_block_mut(self, block);
        let last = block.stmts.iter().rposition(holds_await).unwrap_or(0);
        for stmt in &mut block.stmts[..last] {
            if let Stmt::Macro(node) = stmt
                && !declares_nothing(&node.mac)
            {
                *stmt = enclosed(node);
                self.0 = true;
            }
        }
    }

    fn visit_expr_closure_mut(&mut self, _: &mut ExprClosure) {}

    fn visit_expr_async_mut(&mut self, _: &mut ExprAsync) {}

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Whether the macro is known to declare no local.
fn declares_nothing(mac: &Macro) -> bool {
    const ITEMS: [&str; 3] = ["thread_local", "lazy_static", "macro_rules"];
    let last = mac.path.segments.last();
    known(mac).is_some() || last.is_some_and(|last| ITEMS.iter().any(|name| last.ident == name))
}

fn enclosed(node: &StmtMacro) -> Stmt {
    let attrs = &node.attrs;
    let mac = Expr::Macro(ExprMacro {
        attrs: Vec::new(),
        mac: node.mac.clone(),
    });
    match attrs.is_empty() {
        true => parse_quote!((#mac);),
        false => parse_quote!(#(#attrs)* { (#mac); }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn unknown_macro_before_an_await_is_enclosed() {
        let mut block: Block = parse_quote!({
            defer!(a);
            info!("x");
            {
                other!(b);
            }
            f().await;
            last!();
        });
        assert!(enclose(&mut block));
        let expected: Block = parse_quote!({
            (defer!(a));
            info!("x");
            {
                other!(b);
            }
            f().await;
            last!();
        });
        assert_eq!(quote!(#block).to_string(), quote!(#expected).to_string());
    }
}
