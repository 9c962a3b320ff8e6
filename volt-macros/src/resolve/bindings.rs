//! The bindings of a pattern.

use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, FieldPat, Ident, Member, Pat, PatIdent, PatSlice, Token};

/// Calls `change` with each identifier that the pattern binds, in source order. `A(x) | B(x)`
/// contains two identifiers with one name.
pub(super) fn each_binding(pat: &mut Pat, change: impl FnMut(&mut PatIdent)) {
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
                && let (Member::Named(member), Pat::Ident(bound)) = (&field.member, &*field.pat)
                && *member != bound.ident
            {
                field.colon_token = Some(Token![:](member.span()));
            }
        }

        fn visit_expr_mut(&mut self, _: &mut Expr) {}
    }
    Each(change).visit_pat_mut(pat);
}

/// Returns `true` if an identifier pattern binds. `None` and `MAX` are constants. If one of them
/// does bind, no local has its name, and the machine does not compile.
pub(crate) fn is_binding(pat: &PatIdent) -> bool {
    !is_capital(&pat.ident)
        || pat.by_ref.is_some()
        || pat.mutability.is_some()
        || pat.subpat.is_some()
}

/// Returns `true` if a name begins with a capital. In a pattern it may bind or be a constant.
pub(crate) fn is_capital(name: &Ident) -> bool {
    name.to_string().starts_with(char::is_uppercase)
}

/// The bindings of a pattern, in source order.
pub(crate) fn bindings_of(pat: &Pat) -> impl Iterator<Item = &PatIdent> {
    names_of(pat).into_iter().filter(|name| is_binding(name))
}

/// The names in a pattern, of bindings and of constants, in source order.
pub(crate) fn names_of(pat: &Pat) -> Vec<&PatIdent> {
    struct Names<'p>(Vec<&'p PatIdent>);
    impl<'p> Visit<'p> for Names<'p> {
        fn visit_pat_ident(&mut self, pat: &'p PatIdent) {
            self.0.push(pat);
            visit::visit_pat_ident(self, pat);
        }

        fn visit_expr(&mut self, _: &'p Expr) {}
    }
    let mut names = Names(Vec::new());
    names.visit_pat(pat);
    names.0
}

/// Returns `true` if the pattern binds a part of an array element by value. If elements are moved
/// out of an array in its place, the compiler drops the array from its last element to its first.
pub(super) fn moves_elements(pat: &Pat) -> bool {
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_pat_slice(&mut self, pat: &'ast PatSlice) {
            let mut bound = pat.elems.iter().flat_map(bindings_of);
            self.0 |= bound.any(|name| name.by_ref.is_none());
        }
    }
    let mut find = Find(false);
    find.visit_pat(pat);
    find.0
}
