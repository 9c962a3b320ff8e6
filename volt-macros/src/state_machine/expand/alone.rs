//! The proof that macros among the statements declare no locals.
//!
//! What `defer!(..)` declares lives to the end of the block, where the machine cannot see it: it
//! would be dropped at the next await. So where a macro that is not known stands as a statement
//! before an await of its block, it stands in parentheses in the twin, where a `let` is an error. So
//! does one that is given the name of a local which is moved behind it, for that may be another then.
//!
//! Those that declare statics are items, which cannot stand there; `identity` asks what their names mean.

use proc_macro2::Ident;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Expr, ExprAsync, ExprClosure, ExprMacro, Item, Macro, Stmt, StmtMacro, parse_quote,
};

use crate::state_machine::body::holds_await;
use crate::state_machine::scope::holds_word;

/// Puts macros into parentheses, and tells whether there are any. Of those that are doubted, a later
/// statement of their block may mean what they declare.
pub(super) fn enclose(block: &mut Block, doubted: &[String]) -> Enclosed {
    let mut enclose = Enclose {
        doubted,
        made: Enclosed::default(),
    };
    enclose.visit_block_mut(block);
    enclose.made
}

/// What became of macros that stand alone.
#[derive(Default)]
pub(super) struct Enclosed {
    /// Whether one was put into parentheses.
    pub(super) any: bool,
    /// The names of those that are taken for what declares statics.
    pub(super) items: Vec<Ident>,
}

struct Enclose<'a> {
    doubted: &'a [String],
    made: Enclosed,
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
            let Stmt::Macro(node) = stmt else { continue };
            if index >= last && !(node.semi_token.is_some() && self.is_doubted(&node.mac)) {
                continue;
            }
            match statics(&node.mac) {
                Some(name) => self.made.items.push(name),
                None => {
                    *stmt = enclosed(node);
                    self.made.any = true;
                }
            }
        }
    }

    fn visit_expr_closure_mut(&mut self, _: &mut ExprClosure) {}

    fn visit_expr_async_mut(&mut self, _: &mut ExprAsync) {}

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// The name of the macro, if it is one that declares statics, by its name and by what it is given.
fn statics(mac: &Macro) -> Option<Ident> {
    const NAMES: [&str; 2] = ["thread_local", "lazy_static"];
    let name = &mac.path.segments.last()?.ident;
    let is_known = NAMES.iter().any(|known| name == known);
    holds_word(mac.tokens.clone(), "static").filter(|_| is_known)?;
    Some(name.clone())
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
            thread_local!(static COUNT: u32 = 0);
            println!("{a}");
            f().await;
            last!();
        });
        let enclosed = enclose(&mut block, &["doubted".to_owned()]);
        assert!(enclosed.any && enclosed.items == ["thread_local"]);
        let expected: Block = parse_quote!({
            (defer!(a));
            (info!("x"));
            {
                other!(b);
                (doubted!(c));
            }
            thread_local!(static COUNT: u32 = 0);
            (println!("{a}"));
            f().await;
            last!();
        });
        assert_eq!(quote!(#block).to_string(), quote!(#expected).to_string());
    }
}
