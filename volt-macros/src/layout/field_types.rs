//! Fields with written types, for generic functions.
//!
//! A constant that is the length of an array cannot name a type parameter. So the machine of a
//! generic function has typed fields. An argument or a local has its written type. An awaited
//! future has the type of an awaited local. Fields that are never live together share one field: a
//! union.
//!
//! ```text
//! async fn attempts<S: Service>(first: S::Future, mut service: S) -> ..
//!
//! field_0   service                 start, 1, 2
//! field_1   first | answer.await    start | 1       one union
//! ```

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, Lifetime, Type};

use super::fields::{FieldContent, Layout};
use crate::fallback::{FallbackReason, Fallbacks};
use crate::hir::{AwaitId, Body, LocalKind};
use crate::liveness::Liveness;
use crate::resolve::is_capital;
use crate::signature::Signature;

/// The typed fields of a machine.
#[derive(Debug)]
pub(crate) struct FieldTypes {
    /// The type of each field of the layout.
    pub(crate) types: Vec<TokenStream>,
    /// The fields of the layout that share one field of the machine.
    pub(crate) groups: Vec<Vec<usize>>,
}

impl FieldTypes {
    /// Returns the types, or the fallback reason for a type that is not written. With
    /// `trusts_names`, as under `explicit`, the name of a called function is the type of its
    /// future.
    pub(crate) fn of(
        body: &Body,
        liveness: &Liveness,
        layout: &Layout,
        signature: &Signature,
        trusts_names: bool,
    ) -> Result<Self, Fallbacks> {
        check(body, liveness, layout)?;
        let types = layout.fields.iter().map(|field| match field.content {
            FieldContent::Local(local) => {
                let ident = &body.locals[local.0].ident;
                let ty = local_type(body, signature, local.0);
                let ty = ty.ok_or_else(|| Fallbacks::of(FallbackReason::UntypedLocal, ident))?;
                Ok(ty.to_token_stream())
            }
            FieldContent::Future(id) if layout.recreated[id.0] => Ok(quote!(())),
            FieldContent::Future(id) => {
                let ty = future_type(body, signature, id, trusts_names);
                let reason = FallbackReason::UntypedFuture;
                ty.ok_or_else(|| Fallbacks::of(reason, body.operand(id)))
            }
        });
        Ok(Self {
            types: types.collect::<Result<_, _>>()?,
            groups: groups(layout),
        })
    }

    /// The field of the machine that contains a field of the layout.
    pub(crate) fn group(&self, field: usize) -> usize {
        let mut groups = self.groups.iter();
        groups
            .position(|group| group.contains(&field))
            .unwrap_or_default()
    }
}

/// Returns an error for code that typed fields do not support: items in the body, queries, and
/// borrows of locals.
fn check(body: &Body, liveness: &Liveness, layout: &Layout) -> Result<(), Fallbacks> {
    if let Some(item) = body.items.first() {
        return Err(Fallbacks::of(FallbackReason::TypeParameter, item));
    }
    if let Some(query) = liveness.queries.first() {
        let expr = &body.exprs[query.expr.0];
        return Err(Fallbacks::of(FallbackReason::MovedOrUsed, expr));
    }
    if !layout.borrows_locals(liveness) {
        return Ok(());
    }
    let operands = liveness.operands.iter().zip(&layout.recreated);
    let operands = operands.filter(|(_, recreated)| !**recreated);
    let borrowed_local = operands.flat_map(|(operand, _)| &operand.borrows);
    let borrowed_local = borrowed_local.chain(&liveness.stable).next();
    let ident = borrowed_local.map(|local| &body.locals[local.0].ident);
    Err(Fallbacks::of(FallbackReason::GenericLend, &ident))
}

/// The type of a local, if the machine can name it.
fn local_type<'t>(body: &'t Body, signature: &'t Signature, local: usize) -> Option<&'t Type> {
    let local = &body.locals[local];
    let ty = match local.kind {
        LocalKind::Argument(index) => &signature.arguments.get(index)?.ty,
        _ => local.ty.as_ref()?,
    };
    let mut unnamed = Unnamed {
        signature,
        found: false,
    };
    unnamed.visit_type(ty);
    (!unnamed.found).then_some(ty)
}

fn future_type(
    body: &Body,
    signature: &Signature,
    id: AwaitId,
    trusts_names: bool,
) -> Option<TokenStream> {
    let operand = body.operand(id);
    let awaited = match operand {
        Expr::Call(call) if trusts_names => called(call)?,
        operand => {
            let local = body.local_of(operand)?;
            let ty = local_type(body, signature, local.0)?;
            signature
                .is_bounded_future(ty)
                .then(|| ty.to_token_stream())?
        }
    };
    Some(quote!(<#awaited as ::core::future::IntoFuture>::IntoFuture))
}

/// The type with the name of a called function.
fn called(call: &ExprCall) -> Option<TokenStream> {
    let Expr::Path(node) = &*call.func else {
        return None;
    };
    let mut of = node.path.segments.iter().rev();
    let is_function = of.next().is_some_and(|name| !is_capital(&name.ident))
        && !of.next().is_some_and(|owner| is_capital(&owner.ident));
    (is_function && node.qself.is_none()).then(|| node.path.to_token_stream())
}

/// Groups fields that are never live together, each in the first group without a conflict.
fn groups(layout: &Layout) -> Vec<Vec<usize>> {
    let lives = |field: usize| layout.fields[field].used | layout.fields[field].scope;
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for field in 0..layout.fields.len() {
        let mut free = groups.iter_mut();
        let free = free.find(|group| group.iter().all(|other| lives(*other) & lives(field) == 0));
        match free {
            Some(group) => group.push(field),
            None => groups.push(vec![field]),
        }
    }
    groups
}

/// Searches for a part of a type that the machine cannot name.
struct Unnamed<'s> {
    signature: &'s Signature,
    found: bool,
}

impl<'ast> Visit<'ast> for Unnamed<'_> {
    fn visit_type(&mut self, ty: &'ast Type) {
        match ty {
            Type::Infer(_) | Type::ImplTrait(_) | Type::Macro(_) => self.found = true,
            Type::Reference(node) if node.lifetime.is_none() => self.found = true,
            _ => visit::visit_type(self, ty),
        }
    }

    fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
        let mut declared = self.signature.generics.lifetimes();
        let is_declared = declared.any(|param| param.lifetime == *lifetime);
        self.found |= !is_declared && lifetime.ident != "static";
    }
}
