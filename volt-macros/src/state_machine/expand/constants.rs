//! The proof that names which patterns may fail to match are constants.
//!
//! `MAX => ..` is taken for a constant; if there is none, it binds all that is matched. So each such
//! name is asked for once more in the twin, within an item, where no binding can be seen.

use proc_macro2::Ident;
use quote::quote_spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, ExprClosure, ExprForLoop, Item, Local, PatIdent, Stmt, parse2};

use crate::state_machine::scope::is_upper_name;

/// Asks for the constants of patterns in the body of the twin.
pub(super) fn ask(block: &mut Block) {
    Ask::default().visit_block_mut(block);
}

#[derive(Default)]
struct Ask {
    /// The names found in the block.
    found: Vec<Ident>,
}

impl VisitMut for Ask {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let outer = std::mem::take(&mut self.found);
        visit_mut::visit_block_mut(self, block);
        let found = std::mem::replace(&mut self.found, outer);
        let asked = found.iter().filter_map(|name| parse2(question(name)).ok());
        let asked: Vec<Stmt> = asked.map(Stmt::Item).collect();
        block.stmts.splice(..0, asked);
    }

    fn visit_pat_ident_mut(&mut self, pat: &mut PatIdent) {
        visit_mut::visit_pat_ident_mut(self, pat);
        if is_upper_name(pat) && pat.ident != "None" && !self.found.contains(&pat.ident) {
            self.found.push(pat.ident.clone());
        }
    }

    /// A pattern that always matches binds.
    fn visit_local_mut(&mut self, local: &mut Local) {
        let Some(init) = &mut local.init else { return };
        self.visit_expr_mut(&mut init.expr);
        if let Some((_, otherwise)) = &mut init.diverge {
            self.visit_expr_mut(otherwise);
            self.visit_pat_mut(&mut local.pat);
        }
    }

    fn visit_expr_for_loop_mut(&mut self, node: &mut ExprForLoop) {
        self.visit_expr_mut(&mut node.expr);
        self.visit_block_mut(&mut node.body);
    }

    fn visit_expr_closure_mut(&mut self, node: &mut ExprClosure) {
        self.visit_expr_mut(&mut node.body);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

fn question(name: &Ident) -> proc_macro2::TokenStream {
    let span = proc_macro2::Span::call_site().located_at(name.span());
    quote_spanned! {span=>
        const _: () = {
            #[allow(dead_code, deprecated, reason = "asks whether it is there")]
            fn constant() {
                let _ = #name;
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;
    use syn::parse_quote;

    fn asked(mut block: Block) -> usize {
        ask(&mut block);
        let text = quote!(#block).to_string();
        text.matches("fn constant").count()
    }

    #[test]
    fn names_in_patterns_that_may_fail_are_asked_for() {
        assert_eq!(
            asked(parse_quote!({
                if let MAX = f() {}
                match f() {
                    A | B => {}
                    (A, c) => {}
                    None => {}
                }
            })),
            3
        );
    }

    #[test]
    fn bindings_are_not_asked_for() {
        assert_eq!(
            asked(parse_quote!({
                let G = f();
                for X in g() {}
                let h = |Y| Y;
            })),
            0
        );
    }
}
