//! Patterns that take apart a local which may be gone later.
//!
//! Such a local is a `Maybe`, and out of that no pattern can move. So the pattern is held against
//! what is there first, without its bindings, and where it fits the local is taken whole and taken
//! apart then: nothing of it is left, or the pattern would not move it.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Local, Pat, PatIdent, Path, Stmt, parse_quote};

use super::pattern::{is_some, unascribed};
use super::scope::{bindings, holds_word};

/// The pattern without its bindings.
pub(crate) fn fitting(pat: &Pat) -> Pat {
    let mut pat = unascribed(pat).clone();
    Unbind(&[]).visit_pat_mut(&mut pat);
    pat
}

/// Takes the bindings out of a pattern; those of the names that are left are references.
struct Unbind<'a>(&'a [Ident]);

impl VisitMut for Unbind<'_> {
    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        match pat {
            Pat::Ident(ident) if bindings(&Pat::Ident(alone(ident))).is_empty() => {}
            Pat::Ident(ident) if self.0.contains(&ident.ident) => {
                ident.mutability = None;
                ident.by_ref = Some(syn::token::Ref(ident.ident.span()));
            }
            Pat::Ident(ident) => {
                let mut inner = match &ident.subpat {
                    Some((_, inner)) => (**inner).clone(),
                    None => parse_quote!(_),
                };
                self.visit_pat_mut(&mut inner);
                *pat = inner;
            }
            Pat::Struct(node) => {
                for field in &mut node.fields {
                    field.colon_token.get_or_insert_default();
                    self.visit_pat_mut(&mut field.pat);
                }
            }
            other => visit_mut::visit_pat_mut(self, other),
        }
    }

    fn visit_expr_mut(&mut self, _: &mut Expr) {}
}

/// The identifier without what is behind its `@`.
fn alone(ident: &PatIdent) -> PatIdent {
    PatIdent {
        subpat: None,
        ..ident.clone()
    }
}

/// Takes the local apart, where it fits.
fn unpacked(name: &Ident, pat: &Pat, volt: &Path) -> Stmt {
    parse_quote!(let (#pat) = #name.take() else { #volt::__private::gone() };)
}

/// An arm over a local: its pattern without the bindings, which are made by what is given. Those
/// that its guard asks for are given too, and are references in there.
pub(crate) fn arm(name: &Ident, pat: &mut Pat, volt: &Path) -> (Stmt, Vec<Ident>) {
    let Pat::Guard(guarded) = pat else {
        let made = unpacked(name, pat, volt);
        *pat = fitting(pat);
        return (made, Vec::new());
    };
    let made = unpacked(name, &guarded.pat, volt);
    let guard = guarded.guard.to_token_stream();
    let bound = bindings(&guarded.pat).into_iter();
    let asked = bound.filter(|bound| holds_word(guard.clone(), &bound.ident.to_string()).is_some());
    let asked: Vec<Ident> = asked.map(|bound| bound.ident).collect();
    Unbind(&asked).visit_pat_mut(&mut guarded.pat);
    (made, asked)
}

/// The body of an arm, behind what makes the bindings.
pub(crate) fn within(made: &Stmt, body: &Expr) -> Expr {
    parse_quote!({ #made #body })
}

/// A `let` of a condition. What `None` leaves behind is nothing, so there it is only taken. A chain
/// would need edition 2024.
pub(crate) fn operand(name: &Ident, pat: &Pat) -> Expr {
    if is_some(pat) {
        return parse_quote!(let #pat = #name.take());
    }
    let fits = fitting(pat);
    parse_quote! {
        let ::core::option::Option::Some(#pat) = (match *#name {
            #fits => ::core::option::Option::Some(#name.take()),
            _ => ::core::option::Option::None,
        })
    }
}

/// A `let` statement.
pub(crate) fn initial(name: &Ident, local: &mut Local, volt: &Path) {
    let Some(init) = &mut local.init else { return };
    *init.expr = parse_quote!(#name.take());
    if let Some((_, otherwise)) = &mut init.diverge
        && !is_some(unascribed(&local.pat))
    {
        let left = std::mem::replace(&mut **otherwise, gone(volt));
        *init.expr = taken_if(name, &local.pat, &left);
    }
}

/// The local, if the pattern fits, or else what leaves.
pub(crate) fn taken_if(name: &Ident, pat: &Pat, otherwise: &impl ToTokens) -> Expr {
    let fits = fitting(pat);
    parse_quote!((match *#name { #fits => #name.take(), _ => #otherwise }))
}

/// What cannot be reached.
pub(crate) fn gone(volt: &Path) -> Expr {
    let block: Block = parse_quote!({ #volt::__private::gone() });
    parse_quote!(#block)
}
