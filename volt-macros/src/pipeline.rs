//! The stages of the macro, from a function to its explicit machine.
//!
//! ```text
//! normalise -> resolve -> lower -> build -> decide -> layout -> machine
//! ```

use std::cell::{OnceCell, RefCell};

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Block, ItemFn, Signature as Written};

use crate::backend::{self, is_foreign};
use crate::cfg::{self, Cfg};
use crate::explicit::{self, ExplicitMachine};
use crate::fallback::{FallbackReason, Fallbacks, check_signature};
use crate::hir::{self, Body, EmptiedLocals, StoredTypes, UnnamedReceivers};
use crate::layout::{FieldTypes, Layout};
use crate::liveness::{self, Claim, Liveness};
use crate::options::Options;
use crate::resolve::{self, LocalId};
use crate::signature::{FunctionTokens, Method, Signature, has_alias, machine_name};
use crate::syntax::{self, ForeignNames, own_macro, own_primitive, text_with_self};

/// The results of the macro's front end for a function.
#[derive(Debug)]
pub(crate) struct Analysis {
    pub(crate) body: Body,
    pub(crate) cfg: Cfg,
    pub(crate) liveness: Liveness,
    /// If there are any, the other facts may be wrong.
    pub(crate) fallbacks: Fallbacks,
}

impl Analysis {
    /// Returns the locals that the function moves partly, or on some paths only; and those of
    /// which it may move a part.
    fn emptied_locals(&self) -> EmptiedLocals {
        let claims = self.liveness.claims.iter();
        let copied = claims.filter(|(_, claim)| *claim == Claim::Copied);
        let name = |local: LocalId| self.body.locals[local.0].ident.to_string();
        EmptiedLocals {
            moved: self.fallbacks.moved.clone(),
            taken: copied.map(|(query, _)| name(query.local)).collect(),
            borrowed: self.liveness.stable.iter().copied().map(name).collect(),
        }
    }
}

/// Runs the stages that need neither a layout nor other options. Runs them again for a durable
/// function that moves a part of a local, or a local on some paths only, with an empty value in its
/// place; and with the claim that methods move the temporaries, if a reason may be due to these.
pub(crate) fn analyse(sig: &Written, block: &Block, types: StoredTypes) -> Analysis {
    let analyse_as = |unnamed, moved: &_| analyse_with(sig, block, (types, unnamed), moved);
    let mut moved = EmptiedLocals::default();
    let first = analyse_as(UnnamedReceivers::Bound, &moved);
    let mut emptied = None;
    if types == StoredTypes::Owned {
        moved = first.emptied_locals();
        emptied = (!moved.is_empty()).then(|| analyse_as(UnnamedReceivers::Bound, &moved));
    }
    let last = emptied.as_ref().unwrap_or(&first);
    let is_confirmed = sig.inputs.len() <= explicit::MAX_PROBED_ARGUMENTS;
    if is_confirmed && last.fallbacks.may_be_of_temporaries() {
        let claims = [UnnamedReceivers::Moved, UnnamedReceivers::MovedByLet].into_iter();
        let mut others = claims.map(|unnamed| analyse_as(unnamed, &moved));
        let accepted = others.find(|analysis| analysis.fallbacks.is_empty());
        return accepted.unwrap_or(first);
    }
    let is_better = |analysis: &Analysis| {
        let left = analysis.fallbacks.all().len();
        left == 0 || left < first.fallbacks.all().len()
    };
    emptied.filter(is_better).unwrap_or(first)
}

fn analyse_with(
    sig: &Written,
    block: &Block,
    (types, unnamed): (StoredTypes, UnnamedReceivers),
    moved: &EmptiedLocals,
) -> Analysis {
    let mut fallbacks = Fallbacks::default();
    check_signature(sig, &mut fallbacks);
    let (mut sig, mut block) = (sig.clone(), block.clone());
    let bound = hir::bind_patterns(&mut sig, &mut block);
    let normalised = syntax::normalise(&mut sig, &mut block);
    for name in &normalised.items {
        fallbacks.note(FallbackReason::CapitalName, name);
    }
    let foreign = foreign_names(&sig, &block, &mut fallbacks);
    let mut resolved = resolve::resolve(&sig, &block, &foreign, &mut fallbacks);
    let used_constant = hir::used_constant(&resolved.block);
    let emptied = hir::leave_empty(&mut resolved, moved);
    let mut body = hir::lower(&sig, resolved, (unnamed, types), &mut fallbacks);
    body.parameters = hir::bound_first(&body, bound);
    let cfg = cfg::build(&mut body);
    let liveness = liveness::decide(&body, &cfg, &mut fallbacks);
    let mut borrowed = emptied.iter().filter(|id| liveness.stable.contains(id));
    if let Some(local) = borrowed.next() {
        fallbacks.note(FallbackReason::PartialMove, &body.locals[local.0].ident);
    }
    body.moves = liveness.moves.clone();
    body.trusted_methods = liveness.trusted_methods.clone();
    body.trusted_macros = normalised.trusted;
    body.foreign_names = foreign;
    body.assumed_constant = used_constant.or(body.assumed_constant);
    Analysis {
        body,
        cfg,
        liveness,
        fallbacks,
    }
}

/// Returns the names in patterns that may be those of items of another crate. The compiler has to
/// confirm that they are locals.
fn foreign_names(sig: &Written, block: &Block, fallbacks: &mut Fallbacks) -> Vec<Ident> {
    let ForeignNames { possible, certain } = syntax::foreign_names(sig, block);
    for name in &certain {
        fallbacks.note(FallbackReason::CapitalName, name);
    }
    possible
}

/// Runs all stages. Returns the function that creates the explicit machine, and the items beside
/// it; or the reasons for which the function is native.
pub(crate) fn explicit_machine(
    item: &ItemFn,
    method: Option<&Method>,
    tokens: Option<&FunctionTokens>,
    options: &Options,
) -> Result<(TokenStream, TokenStream), Fallbacks> {
    let with_checkpoints = options
        .snapshot()
        .and_then(|_| backend::with_checkpoints(item, options));
    let tokens = tokens.filter(|_| with_checkpoints.is_none());
    let item = with_checkpoints.as_ref().unwrap_or(item);
    let signature = &Signature::of(item, method);
    let types = match options.snapshot() {
        Some(_) => StoredTypes::Owned,
        None => StoredTypes::Any,
    };
    let mut found = analyse_item(item, method, types)?;
    // With these options, the name has to be that of a constant.
    if let Some(name) = found
        .body
        .assumed_constant
        .take_if(|_| !options.is_explicit())
    {
        return Err(Fallbacks::of(FallbackReason::CapitalName, &name));
    }
    // The machine can be larger than the compiler's future, which only these options allow.
    if let Some(value) = found
        .body
        .claimed_ending
        .take_if(|_| !options.is_explicit())
    {
        return Err(Fallbacks::of(FallbackReason::Remainder, &value));
    }
    if options.snapshot().is_some() {
        qualify_states(&mut found.body);
    }
    let (layout, typed) = lay_out(&found, signature, options)?;
    let name = &machine_name(options, item, method);
    let (function, beside) = explicit::machine(&ExplicitMachine {
        item,
        method,
        signature,
        options,
        name,
        body: &found.body,
        cfg: &found.cfg,
        liveness: &found.liveness,
        layout: &layout,
        typed: typed.as_ref(),
        send: backend::send(item, method, tokens, options),
        calls: RefCell::default(),
        support: OnceCell::new(),
    });
    let alias = (method.is_none() && has_alias(options, &signature.name, name)).then(|| {
        let arguments = signature.arguments();
        signature.alias(&item.vis, &quote!(#name<#arguments>))
    });
    Ok((function, quote!(#beside #alias)))
}

/// Analyses a function with its attributes. Type parameters are left to `lay_out`.
fn analyse_item(
    item: &ItemFn,
    method: Option<&Method>,
    types: StoredTypes,
) -> Result<Analysis, Fallbacks> {
    let mut found = analyse(&item.sig, &item.block, types);
    if let Some(text) = method.and_then(|method| text_with_self(&method.original.block)) {
        found.fallbacks.note(FallbackReason::SelfInText, &text);
    }
    // A method that borrows a reference may take it for one that moves it.
    if let Some(word) = method.and_then(Method::hidden_reference) {
        found.fallbacks.note(FallbackReason::MovedOrUsed, &word);
    }
    if let Some(name) = own_macro(&item.block) {
        found
            .fallbacks
            .note(FallbackReason::UnknownMacro, &quote!(#name!));
    }
    // A use of a local of such a type may be a move.
    let tokens = || {
        let (sig, block) = (&item.sig, &item.block);
        quote!(#sig #block)
    };
    if let Some(ty) = own_primitive(item.sig.ident.span(), hir::COPIED, tokens) {
        found.fallbacks.note(FallbackReason::CopiedOrBorrowed, &ty);
    }
    if let Some(call) = backend::own_receiver(item, method) {
        found
            .fallbacks
            .note(FallbackReason::RecursiveReceiver, call);
    }
    for attr in item.attrs.iter().filter(|attr| is_foreign(attr)) {
        found.fallbacks.note(FallbackReason::ForeignAttribute, attr);
    }
    found.fallbacks.take(FallbackReason::TypeParameter);
    if found.fallbacks.is_empty() {
        Ok(found)
    } else {
        Err(found.fallbacks)
    }
}

/// Places the locals in fields. For a generic function, also returns the types of the fields.
fn lay_out(
    found: &Analysis,
    signature: &Signature,
    options: &Options,
) -> Result<(Layout, Option<FieldTypes>), Fallbacks> {
    let (body, liveness, name) = (&found.body, &found.liveness, &signature.name);
    if options.snapshot().is_some() {
        check_state_names(body)?;
    }
    let layout = Layout::of(body, &found.cfg, liveness, name)?;
    if !signature.is_generic() {
        return match options.value_traits().first() {
            Some(derived) if layout.borrows_locals(liveness) => {
                Err(Fallbacks::of(FallbackReason::DerivedLend, derived))
            }
            _ => Ok((layout, None)),
        };
    }
    if options.boxed || options.inline.is_some() {
        return Err(Fallbacks::of(FallbackReason::TypeParameter, name));
    }
    // Such a machine cannot store the compiler's future if a name is that of an item.
    if let Some(name) = body
        .foreign_names
        .first()
        .filter(|_| !options.is_explicit())
    {
        return Err(Fallbacks::of(FallbackReason::CapitalName, name));
    }
    let types = FieldTypes::of(body, liveness, &layout, signature, options.is_explicit())?;
    Ok((layout, Some(types)))
}

/// Distinguishes the states of a snapshot by their statements: `await charge (receipt)`.
fn qualify_states(body: &mut Body) {
    for data in body.awaits.iter_mut().filter(|data| !data.is_step) {
        if let Some(qualifier) = data.qualifier.take() {
            data.title = format!("{} ({qualifier})", data.title);
        }
    }
}

/// Returns an error for each two states with the same name, at both places. A snapshot names the
/// state.
fn check_state_names(body: &Body) -> Result<(), Fallbacks> {
    let mut fallbacks = Fallbacks::default();
    let reason = FallbackReason::DuplicateState;
    let stored = || body.awaits.iter().enumerate().filter(|(_, it)| !it.is_step);
    for (index, data) in stored() {
        let mut others = stored();
        let has_other = others.any(|(other, it)| other != index && it.title == data.title);
        if has_other || data.title == "start" {
            fallbacks.note_named(reason, data.span, &data.title);
        }
    }
    if fallbacks.is_empty() {
        Ok(())
    } else {
        Err(fallbacks)
    }
}
