//! The proof that macros among the statements declare no locals.
//!
//! What `defer!(..)` declares lives to the end of the block, where the machine cannot see it: it
//! would be dropped at the next await. So where a macro that is not known stands as a statement
//! before an await of its block, it stands in parentheses in the twin, where a `let` is an error. So
//! does one that is given the name of a local which is moved behind it, for that may be another then.

use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Expr, ExprAsync, ExprClosure, ExprMacro, Item, Macro, Stmt, StmtMacro, parse_quote,
};

use crate::state_machine::body::holds_await;
use crate::state_machine::macros::{Known, known};

/// Puts macros into parentheses, and tells whether there are any. Of those that are doubted, a later
/// statement of their block may mean what they declare.
pub(super) fn enclose(block: &mut Block, doubted: &[String]) -> bool {
    let mut enclose = Enclose {
        doubted,
        found: false,
    };
    enclose.visit_block_mut(block);
    enclose.found
}

struct Enclose<'a> {
    doubted: &'a [String],
    found: bool,
}

impl Enclose<'_> {
    fn is_doubted(&self, mac: &Macro) -> bool {
        let last = mac.path.segments.last();
        last.is_some_and(|last| self.doubted.iter().any(|name| last.ident == name))
    }
}

impl VisitMut for Enclose<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        visit_mut::visit_block_mut(self, block);
        let last = block.stmts.iter().rposition(holds_await).unwrap_or(0);
        for (index, stmt) in block.stmts.iter_mut().enumerate() {
            if let Stmt::Macro(node) = stmt
                && !declares_nothing(&node.mac)
                && (index < last || node.semi_token.is_some() && self.is_doubted(&node.mac))
            {
                *stmt = enclosed(node);
                self.found = true;
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
    // Those that log are a user's, or of many libraries.
    let is_of_std = known(mac).is_some_and(|known| !matches!(known, Known::Logs));
    is_of_std || last.is_some_and(|last| ITEMS.iter().any(|name| last.ident == name))
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
                doubted!(c);
            }
            f().await;
            last!();
        });
        assert!(enclose(&mut block, &["doubted".to_owned()]));
        let expected: Block = parse_quote!({
            (defer!(a));
            (info!("x"));
            {
                other!(b);
                (doubted!(c));
            }
            f().await;
            last!();
        });
        assert_eq!(quote!(#block).to_string(), quote!(#expected).to_string());
    }
}
