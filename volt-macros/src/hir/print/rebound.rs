//! Names that patterns bind, and whose types the compiler would infer if the matched value has no
//! type.
//!
//! ```text
//! Ok(text) => load(&text).await     Ok(text) => match __WellTyped::operand(text) { text => .. }
//! ```
//!
//! If the reference function has an error, the value has no type, but the pattern has: a `Result`
//! of unknown types. A `&text` that is coerced to `&str` would then be an error, because the
//! compiler takes `str` for the type of `text`.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::visit::{self, Visit};
use syn::{Expr, ExprReference, Pat, PatTupleStruct};

use crate::hir::body::{Body, ExprId};
use crate::resolve::{LocalData, LocalId};

impl Body {
    /// Returns the code of an arm, in which such names of its pattern are bound again. As names of
    /// patterns, they are dropped after the temporaries of the code.
    pub(crate) fn rebind(&self, pat: &Pat, binds: &[LocalId], code: TokenStream) -> TokenStream {
        let names = self.rebound(binds, |found| found.visit_pat(pat));
        bind_around(&names, code)
    }

    /// Returns the code behind a condition, in which such names of the condition are bound again.
    pub(crate) fn rebind_of(
        &self,
        condition: ExprId,
        binds: &[LocalId],
        code: TokenStream,
    ) -> TokenStream {
        let condition = &self.exprs[condition.0];
        let names = self.rebound(binds, |found| found.visit_expr(condition));
        if names.is_empty() {
            return code;
        }
        let code = bind_around(&names, code);
        quote!({ #code })
    }

    /// Returns statements that bind such names of a `let` again.
    pub(crate) fn rebind_let(&self, pat: &Pat, binds: &[LocalId]) -> TokenStream {
        let names = self.rebound(binds, |found| found.visit_pat(pat));
        let statements = names.iter().map(|local| {
            let (ident, mutable) = (&local.ident, local.mutable.then(|| quote!(mut)));
            quote!(let #mutable #ident = __WellTyped::operand(#ident);)
        });
        statements.collect()
    }

    fn rebound(&self, binds: &[LocalId], find: impl FnOnce(&mut Contents)) -> Vec<&LocalData> {
        if binds.is_empty() {
            return Vec::new();
        }
        let mut found = Contents::default();
        find(&mut found);
        let bound = binds.iter().map(|local| &self.locals[local.0]);
        let bound = bound.filter(|local| found.0.contains(&local.ident));
        bound
            .filter(|local| self.is_referenced(&local.ident))
            .collect()
    }

    /// Returns `true` if the body contains a reference to the whole local.
    fn is_referenced(&self, ident: &Ident) -> bool {
        struct References<'a>(&'a Ident, bool);
        impl<'ast> Visit<'ast> for References<'_> {
            fn visit_expr_reference(&mut self, node: &'ast ExprReference) {
                self.1 |= matches!(&*node.expr, Expr::Path(path) if path.path.is_ident(self.0));
                visit::visit_expr_reference(self, node);
            }
        }
        let mut found = References(ident, false);
        self.exprs.iter().for_each(|expr| found.visit_expr(expr));
        found.1
    }
}

fn bind_around(names: &[&LocalData], code: TokenStream) -> TokenStream {
    names.iter().fold(code, |code, local| {
        let (ident, mutable) = (&local.ident, local.mutable.then(|| quote!(mut)));
        quote!(match __WellTyped::operand(#ident) { #mutable #ident => #code })
    })
}

/// The names that are the whole content of a generic variant of the standard library.
#[derive(Default)]
struct Contents(Vec<Ident>);

impl<'ast> Visit<'ast> for Contents {
    fn visit_pat_tuple_struct(&mut self, node: &'ast PatTupleStruct) {
        let mut names = ["Ok", "Err", "Some"].iter();
        let last = node.path.segments.last();
        if last.is_some_and(|last| names.any(|name| last.ident == name)) {
            let contents = node.elems.iter().filter_map(|pat| match pat {
                Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => {
                    Some(pat.ident.clone())
                }
                _ => None,
            });
            self.0.extend(contents);
        }
        visit::visit_pat_tuple_struct(self, node);
    }
}
