//! Names with a capital letter where only a binding makes sense.
//!
//! In a pattern, `G` may be a constant or a name for what is matched: that depends on which items
//! there are. Where a pattern cannot fail to match, a constant says nothing, so `G` is a binding
//! there. It becomes `G @ _`, which nothing else can be: of a unit struct the compiler says that no
//! binding can have its name.

use syn::visit_mut::{self, VisitMut};
use syn::{Block, ExprClosure, ExprForLoop, FieldPat, Item, Local, Member, Pat, PatIdent, Token};

use super::scope::is_upper_name;

/// Marks the bindings of patterns that always match.
pub(crate) fn mark_bindings(block: &mut Block) {
    Statements.visit_block_mut(block);
}

/// Finds the patterns that always match.
struct Statements;

impl VisitMut for Statements {
    fn visit_local_mut(&mut self, local: &mut Local) {
        visit_mut::visit_local_mut(self, local);
        let fails = local
            .init
            .as_ref()
            .is_some_and(|init| init.diverge.is_some());
        if !fails {
            Bindings.visit_pat_mut(&mut local.pat);
        }
    }

    fn visit_expr_for_loop_mut(&mut self, node: &mut ExprForLoop) {
        visit_mut::visit_expr_for_loop_mut(self, node);
        Bindings.visit_pat_mut(&mut node.pat);
    }

    fn visit_expr_closure_mut(&mut self, node: &mut ExprClosure) {
        visit_mut::visit_expr_closure_mut(self, node);
        for input in &mut node.inputs {
            Bindings.visit_pat_mut(input);
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Marks names in a pattern that always matches.
struct Bindings;

impl VisitMut for Bindings {
    fn visit_pat_ident_mut(&mut self, pat: &mut PatIdent) {
        visit_mut::visit_pat_ident_mut(self, pat);
        if is_upper_name(pat) {
            let span = pat.ident.span();
            let wild = Pat::Wild(syn::PatWild {
                attrs: Vec::new(),
                underscore_token: Token![_](span),
            });
            pat.subpat = Some((Token![@](span), Box::new(wild)));
        }
    }

    fn visit_field_pat_mut(&mut self, field: &mut FieldPat) {
        if field.colon_token.is_none()
            && let Member::Named(name) = &field.member
            && matches!(&*field.pat, Pat::Ident(pat) if is_upper_name(pat))
        {
            field.colon_token = Some(Token![:](name.span()));
        }
        visit_mut::visit_field_pat_mut(self, field);
    }

    fn visit_expr_mut(&mut self, _: &mut syn::Expr) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;
    use syn::parse_quote;

    fn marked(mut block: Block) -> String {
        mark_bindings(&mut block);
        quote!(#block).to_string()
    }

    #[test]
    fn names_that_must_bind_are_marked() {
        assert_eq!(
            marked(parse_quote!({
                let G = f();
                let (A, b): (D, D) = g();
                let Point { X, y: Y } = p;
            })),
            quote!({
                let G @ _ = f();
                let (A @ _, b): (D, D) = g();
                let Point { X: X @ _, y: Y @ _ } = p;
            })
            .to_string()
        );
    }

    #[test]
    fn names_that_may_be_constants_stay() {
        let block: Block = parse_quote!({
            let None = f() else { return };
            if let MAX = f() {}
            match f() {
                MAX => {}
                _ => {}
            }
        });
        assert_eq!(marked(block.clone()), quote!(#block).to_string());
    }
}
