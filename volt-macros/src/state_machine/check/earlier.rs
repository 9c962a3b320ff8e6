//! What is evaluated before an await in the same expression, and whether it may come later.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::{Expr, Type, UnOp, parse_quote, parse_quote_spanned};

use super::checker::Check;
use super::seen::is_primitive;
use super::slots::{Role, Slot, is_plain_place};
use super::written::drops;
use crate::state_machine::body::{Glue, Local};
use crate::state_machine::scope::{holds_word, plain_name};

/// What becomes of a part that is evaluated before an await.
pub(super) enum Earlier {
    /// It stays where it is: nobody can tell when it is evaluated.
    Stays,
    /// So it does, with something to prove.
    StaysAs(Expr),
    /// Its value is kept in a local, of this type if it can be seen.
    Spills(Option<Type>),
    Refused,
}

impl Check<'_> {
    /// What becomes of a part before `rest`, which awaits.
    pub(super) fn earlier(&self, slot: &Slot<'_>, rest: &[TokenStream]) -> Earlier {
        let part = peeled(slot.part);
        match slot.role {
            _ if self.is_constant(part) => Earlier::Stays,
            Role::Value => self.earlier_value(part, rest),
            Role::Place => self.earlier_place(part, rest),
            Role::Receiver => self.earlier_receiver(part, rest),
        }
    }

    /// Literals, constants, functions: what is the same whenever it is evaluated.
    fn is_constant(&self, part: &Expr) -> bool {
        match part {
            Expr::Lit(_) => true,
            Expr::Path(_) => plain_name(part)
                .is_none_or(|name| self.local(name).is_none() && !self.is_lent(name)),
            Expr::Unary(unary) => {
                !matches!(unary.op, UnOp::Deref(_)) && self.is_constant(&unary.expr)
            }
            _ => false,
        }
    }

    fn earlier_value(&self, part: &Expr, rest: &[TokenStream]) -> Earlier {
        match part {
            Expr::Path(_) => self.earlier_name(part, rest),
            Expr::Reference(reference) if is_plain_place(&reference.expr) => {
                let shared = reference.mutability.is_none();
                match self.is_untouched(&reference.expr, shared, rest) {
                    true => Earlier::Stays,
                    false => Earlier::Refused,
                }
            }
            Expr::Field(_) | Expr::Unary(_) if is_plain_place(part) => {
                match self.is_untouched(part, true, rest) {
                    true => self.proven_copy(part),
                    false => Earlier::Refused,
                }
            }
            Expr::Closure(_) | Expr::Reference(_) => Earlier::Refused,
            _ => Earlier::Spills(self.seen_type(part)),
        }
    }

    fn earlier_name(&self, part: &Expr, rest: &[TokenStream]) -> Earlier {
        let Some(local) = plain_name(part).and_then(|name| self.local(name)) else {
            return match self.is_untouched(part, false, rest) {
                true => Earlier::Stays,
                false => Earlier::Refused,
            };
        };
        if local.glue == Glue::None && self.is_untouched(part, true, rest) {
            return Earlier::Stays;
        }
        Earlier::Spills(self.named_type(&local.name))
    }

    /// A part of a local that is copied: it has no destructor that could tell when.
    fn proven_copy(&self, part: &Expr) -> Earlier {
        match self.seen_type(part) {
            Some(ty) if !drops(&ty) => Earlier::Stays,
            _ => {
                let volt = self.volt;
                Earlier::StaysAs(parse_quote!({ #volt::__private::no_drop_glue(&#part); #part }))
            }
        }
    }

    fn earlier_place(&self, part: &Expr, rest: &[TokenStream]) -> Earlier {
        if is_plain_place(part) {
            return match self.is_untouched(part, true, rest) {
                true => Earlier::Stays,
                false => Earlier::Refused,
            };
        }
        match self.seen_type(part) {
            // The temporary lives to the end of the statement, or of the condition.
            Some(ty) if self.nested == 0 || !drops(&ty) => Earlier::Spills(Some(ty)),
            _ => Earlier::Refused,
        }
    }

    fn earlier_receiver(&self, part: &Expr, rest: &[TokenStream]) -> Earlier {
        if !is_plain_place(part) {
            return match self.seen_type(part) {
                Some(ty) if !drops(&ty) => Earlier::Spills(Some(ty)),
                _ => Earlier::Refused,
            };
        }
        if !self.is_fixed(part) && !self.is_untouched(part, true, rest) {
            // A number is taken by value; a method that changes it finds that it may not.
            let ty = plain_name(part).and_then(|name| self.named_type(name));
            return match ty.filter(is_primitive) {
                Some(ty) => Earlier::Spills(Some(ty)),
                None => Earlier::Refused,
            };
        }
        match root(part).and_then(|name| self.local(name)) {
            // A method that takes the local itself would take it too late.
            Some(local) if local.glue != Glue::None => {
                let mutable = local.mutable.then(<syn::Token![mut]>::default);
                Earlier::StaysAs(parse_quote_spanned!(part.span()=> (*&#mutable #part)))
            }
            _ => Earlier::Stays,
        }
    }

    pub(super) fn is_lent(&self, name: &Ident) -> bool {
        self.lent.iter().any(|lent| lent.name == *name)
    }

    /// Whether it is a local that nothing changes or takes: no `mut`, no destructor.
    fn is_fixed(&self, part: &Expr) -> bool {
        let local = plain_name(part).and_then(|name| self.local(name));
        local.is_some_and(|local| !local.mutable && local.glue == Glue::None && !is_unique(local))
    }

    /// Whether a place is the same before `rest` and after it. What `shared` says is whether
    /// `rest` may look at it.
    fn is_untouched(&self, part: &Expr, shared: bool, rest: &[TokenStream]) -> bool {
        let Some(name) = root(part) else { return false };
        let unique = match self.local(name) {
            Some(local) => is_unique(local),
            None => self
                .lent
                .iter()
                .any(|lent| lent.name == *name && lent.mutable),
        };
        let word = name.to_string();
        let untouched = |tokens: &TokenStream| match shared && !unique {
            true => only_looks(tokens.clone(), &word),
            false => holds_word(tokens.clone(), &word).is_none(),
        };
        rest.iter().all(untouched)
    }
}

/// Whether it is a reference through which others may be changed.
fn is_unique(local: &Local) -> bool {
    matches!(&local.ty, Some(Type::Reference(ty)) if ty.mutability.is_some())
}

fn peeled(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => peeled(&paren.expr),
        Expr::Group(group) => peeled(&group.expr),
        other => other,
    }
}

/// The name in which a plain place begins.
fn root(place: &Expr) -> Option<&Ident> {
    match place {
        Expr::Field(field) => root(&field.base),
        Expr::Paren(paren) => root(&paren.expr),
        Expr::Group(group) => root(&group.expr),
        Expr::Unary(unary) => root(&unary.expr),
        _ => plain_name(place),
    }
}

/// Whether tokens use a name, or fields of it, only as `&name`, or alone between commas: a look or
/// a copy.
fn only_looks(tokens: TokenStream, word: &str) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    tokens.iter().enumerate().all(|(index, token)| match token {
        TokenTree::Group(group) => only_looks(group.stream(), word),
        TokenTree::Ident(ident) if ident == word => {
            let before = index.checked_sub(1).and_then(|before| tokens.get(before));
            is_punct(before, ",&") && is_punct(tokens.get(behind_fields(&tokens, index)), ",")
        }
        _ => true,
    })
}

/// The place behind a name and the fields that follow it.
fn behind_fields(tokens: &[TokenTree], name: usize) -> usize {
    let mut behind = name + 1;
    while matches!(tokens.get(behind), Some(TokenTree::Punct(dot)) if dot.as_char() == '.')
        && matches!(
            tokens.get(behind + 1),
            Some(TokenTree::Ident(_) | TokenTree::Literal(_))
        )
    {
        behind += 2;
    }
    behind
}

/// Whether the token is one of these, or there is none.
fn is_punct(token: Option<&TokenTree>, chars: &str) -> bool {
    match token {
        None => true,
        Some(TokenTree::Punct(punct)) => chars.contains(punct.as_char()),
        Some(_) => false,
    }
}
