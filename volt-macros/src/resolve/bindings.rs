//! What a pattern binds.

use syn::visit_mut::{self, VisitMut};
use syn::{Expr, FieldPat, Ident, Member, Pat, PatIdent, Token};

/// Calls `change` with each identifier that the pattern binds, in source order. In `A(x) | B(x)` there
/// are two of them, with one name.
pub(crate) fn each_binding(pat: &mut Pat, change: impl FnMut(&mut PatIdent)) {
    struct Each<F>(F);
    impl<F: FnMut(&mut PatIdent)> VisitMut for Each<F> {
        fn visit_pat_ident_mut(&mut self, pat: &mut PatIdent) {
            if is_binding(pat) {
                (self.0)(pat);
            }
            visit_mut::visit_pat_ident_mut(self, pat);
        }

        fn visit_field_pat_mut(&mut self, field: &mut FieldPat) {
            visit_mut::visit_field_pat_mut(self, field);
            if field.colon_token.is_none()
                && let (Member::Named(member), Some(bound)) =
                    (&field.member, bound_name(&field.pat))
                && member != bound
            {
                field.colon_token = Some(Token![:](member.span()));
            }
        }

        fn visit_expr_mut(&mut self, _: &mut Expr) {}
    }
    Each(change).visit_pat_mut(pat);
}

fn bound_name(pat: &Pat) -> Option<&Ident> {
    match pat {
        Pat::Ident(pat) => Some(&pat.ident),
        _ => None,
    }
}

/// Whether an identifier pattern binds: `None` and `MAX` are constants. If one of them does bind, no
/// local has its name, and the machine does not build.
pub(super) fn is_binding(pat: &PatIdent) -> bool {
    let is_upper = pat.ident.to_string().starts_with(char::is_uppercase);
    !is_upper || pat.by_ref.is_some() || pat.mutability.is_some() || pat.subpat.is_some()
}

/// A name with a capital letter in a pattern, which may bind or be a constant.
pub(super) fn capital(pat: &Pat) -> Option<Ident> {
    struct Find(Option<Ident>);
    impl<'ast> syn::visit::Visit<'ast> for Find {
        fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
            if pat.ident.to_string().starts_with(char::is_uppercase) {
                self.0.get_or_insert_with(|| pat.ident.clone());
            }
            syn::visit::visit_pat_ident(self, pat);
        }

        fn visit_expr(&mut self, _: &'ast Expr) {}
    }
    let mut find = Find(None);
    syn::visit::Visit::visit_pat(&mut find, pat);
    find.0
}
