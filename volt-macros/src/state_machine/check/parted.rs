//! Tuples of which one part is moved and the others stay.
//!
//! What stays is dropped where the tuple would be. Where the type of the tuple is seen, each part gets a
//! local of its own beside it:
//!
//! ```text
//! let pair: (A, B) = ..;       let pair: (A, B) = ..; let pair_1: B;
//! let (a, _) = pair;           let (part, part_2) = pair; pair_1 = part_2; let a: A = part;
//! use(&pair.1);                use(&pair_1);
//! ```
//!
//! So nothing is said of what a part is: if it can be copied, it has no destructor. The tuple is not
//! named behind that, or it is copied as a whole.

use std::collections::VecDeque;

use proc_macro2::Ident;
use quote::{ToTokens, format_ident};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Item, Member, Pat, Stmt, Type, parse_quote_spanned};

use super::checker::Check;
use super::written::drops;
use crate::state_machine::body::{Glue, LocalId, holds_await};
use crate::state_machine::parse::peel;
use crate::state_machine::pattern::unascribed;
use crate::state_machine::scope::{bindings, mentioned, plain_name};

/// What becomes of each part of a tuple: the pattern that takes it, and none if it stays.
type Parts = Vec<Option<Pat>>;

impl Check<'_> {
    /// The statements behind a tuple, with locals for its parts if one of them is moved for itself.
    pub(super) fn parted(
        &mut self,
        tuple: LocalId,
        behind: &VecDeque<Stmt>,
    ) -> Option<VecDeque<Stmt>> {
        let local = &self.locals[tuple];
        let (name, ty) = (local.name.clone(), local.likely_type()?.clone());
        let Type::Tuple(types) = peel(&ty) else {
            return None;
        };
        if local.mutable {
            return None;
        }
        let arity = types.elems.len();
        let moved = |stmt: &Stmt| parts(stmt, &name, arity);
        let at = behind.iter().position(|stmt| moved(stmt).is_some())?;
        let parts = moved(&behind[at])?;
        // What has no destructor is copied.
        let mut taken = parts.iter().zip(&types.elems);
        if !taken.any(|(part, ty)| part.is_some() && drops(ty)) {
            return None;
        }
        let mut rest: Vec<Stmt> = behind.iter().skip(at + 1).cloned().collect();
        let stays = parts.iter().enumerate().map(|(at, part)| {
            let own = format!("{name}_{at}");
            part.is_none().then(|| self.unused(&own, name.span()))
        });
        let stays: Vec<Option<Ident>> = stays.collect();
        if !rest.iter().any(holds_await) || !replace(&mut rest, &name, &stays) {
            return None;
        }
        // Of several that stay, the first is dropped first.
        let declared = stays.iter().zip(&types.elems).rev();
        let declared = declared.filter_map(|(name, ty)| {
            let name = name.as_ref()?;
            Some(parse_quote_spanned!(name.span()=> let #name: #ty;))
        });
        let mut stmts: VecDeque<Stmt> = declared.collect();
        stmts.extend(behind.iter().take(at).cloned());
        stmts.extend(self.opened_tuple(&name, parts.iter().zip(&stays), &types.elems));
        stmts.extend(rest);
        Some(stmts)
    }

    /// The same for the last argument that has anything to drop.
    pub(super) fn part_argument(&mut self, body: &mut VecDeque<Stmt>) {
        let drops = self
            .locals
            .iter()
            .rposition(|local| local.glue != Glue::None);
        if let Some(parted) = drops.and_then(|argument| self.parted(argument, body)) {
            *body = parted;
        }
    }

    /// What takes the tuple apart.
    fn opened_tuple<'p>(
        &mut self,
        name: &Ident,
        parts: impl Iterator<Item = (&'p Option<Pat>, &'p Option<Ident>)>,
        types: impl IntoIterator<Item = &'p Type>,
    ) -> Vec<Stmt> {
        let (mut opened, mut kept, mut taken) = (Vec::new(), Vec::new(), Vec::new());
        for ((part, stays), ty) in parts.zip(types) {
            let value = self.unused("part", name.span());
            let span = part.as_ref().map_or_else(|| name.span(), Spanned::span);
            match (part, stays) {
                (Some(pat @ (Pat::Ident(_) | Pat::Tuple(_))), _) => {
                    taken.push(parse_quote_spanned!(span=> let #pat: #ty = #value;));
                }
                (Some(pat), _) => taken.push(parse_quote_spanned!(span=> let #pat = #value;)),
                (None, stays) => kept.push(parse_quote_spanned!(span=> #stays = #value;)),
            }
            opened.push(value);
        }
        let open: Stmt = parse_quote_spanned!(name.span()=> let (#(#opened,)*) = #name;);
        std::iter::once(open).chain(kept).chain(taken).collect()
    }
}

/// What a statement takes out of the tuple of this name, if it is a part and no more.
fn parts(stmt: &Stmt, name: &Ident, arity: usize) -> Option<Parts> {
    let Stmt::Local(local) = stmt else {
        return None;
    };
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    match (&*init.expr, unascribed(&local.pat)) {
        (Expr::Field(field), Pat::Ident(pat)) if pat.by_ref.is_none() => {
            let Member::Unnamed(index) = &field.member else {
                return None;
            };
            let index = index.index as usize;
            let is_part = plain_name(&field.base)? == name && index < arity;
            let part = |at| (at == index).then(|| local.pat.clone());
            is_part.then(|| (0..arity).map(part).collect())
        }
        (value, Pat::Tuple(pat)) if plain_name(value)? == name && pat.elems.len() == arity => {
            let is_left = |elem: &Pat| matches!(elem, Pat::Wild(_));
            let takes = |elem: &Pat| {
                let bound = bindings(elem);
                !matches!(elem, Pat::Rest(_)) && bound.iter().all(|binding| !binding.by_ref)
            };
            let elems = &pat.elems;
            let is_part =
                elems.iter().any(is_left) && !elems.iter().all(is_left) && elems.iter().all(takes);
            let parts = elems
                .iter()
                .map(|elem| (!is_left(elem)).then(|| elem.clone()));
            is_part.then(|| parts.collect())
        }
        _ => None,
    }
}

/// Names the parts that stay by their own names. Whether the tuple is named no more.
fn replace(stmts: &mut [Stmt], name: &Ident, stays: &[Option<Ident>]) -> bool {
    let mut replace = Replace { name, stays };
    stmts
        .iter_mut()
        .for_each(|stmt| replace.visit_stmt_mut(stmt));
    let mut found = Vec::new();
    stmts
        .iter()
        .for_each(|stmt| mentioned(stmt.to_token_stream(), &mut found));
    !found.iter().any(|found| name == found)
}

struct Replace<'a> {
    name: &'a Ident,
    stays: &'a [Option<Ident>],
}

impl VisitMut for Replace<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Field(node) = expr
            && let Member::Unnamed(index) = &node.member
            && plain_name(&node.base).is_some_and(|name| name == self.name)
            && let Some(Some(part)) = self.stays.get(index.index as usize)
        {
            let part = format_ident!("{part}", span = node.base.span());
            *expr = parse_quote_spanned!(part.span()=> #part);
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
