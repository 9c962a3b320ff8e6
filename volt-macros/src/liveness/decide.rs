//! The decision: what each block finds where it begins.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;

use super::borrowed::keep_borrowed;
use super::dataflow::{Presence, Set, after, named_later, presence, used_later};
use super::late::taken_late;
use super::lends::{hidden, operand};
use super::lives::{Live, Liveness, Moves, Need};
use super::origins::Origins;
use super::plain::plain;
use super::points::{Effect, Points};
use super::walk::draw;
use crate::cfg::{BlockId, Cfg, End};
use crate::doubt::{Doubts, Reason};
use crate::hir::{AwaitId, Body, LocalId, Use};

/// How many blocks a machine may have.
const MOST_BLOCKS: usize = 120;

/// Decides what lives where.
pub(crate) fn decide(body: &Body, cfg: &Cfg, doubts: &mut Doubts) -> Liveness {
    if cfg.blocks.len() > MOST_BLOCKS {
        doubts.note(
            Reason::TooLarge,
            &body.locals.first().map(|local| &local.ident),
        );
    }
    let is_generic = doubts.has(Reason::TypeParameter);
    let (mut in_place, mut stable) = (BTreeSet::new(), BTreeSet::new());
    loop {
        let before = (in_place.len(), stable.len());
        let mut found = Doubts::default();
        let known = |set: &BTreeSet<LocalId>| set.iter().copied().collect::<Vec<_>>();
        let sets = [&known(&in_place)[..], &known(&stable)];
        let liveness = attempt(body, cfg, sets, is_generic, &mut found);
        in_place.extend(&liveness.in_place);
        in_place.extend(&liveness.stable);
        stable.extend(&liveness.stable);
        if (in_place.len(), stable.len()) == before {
            doubts.append(found);
            return liveness;
        }
    }
}

/// Decides, where these locals are known to lie in their places, and those to stay there.
fn attempt(
    body: &Body,
    cfg: &Cfg,
    [in_place, stable]: [&[LocalId]; 2],
    is_generic: bool,
    doubts: &mut Doubts,
) -> Liveness {
    let mut points = draw(body, cfg);
    let plain = plain(body, cfg);
    let looked = looks(body, &points, &used_later(&points));
    let looks = |local: LocalId, method: &str| {
        let mut looked = looked.iter();
        looked.any(|it| it.0 == local && it.1 == method)
    };
    keep_borrowed(&mut points, body, cfg, &plain, in_place, looks);
    let later = used_later(&points);
    let named = named_later(&points);
    let refers = |local: LocalId| {
        let ty = body.locals[local.0].ty.as_ref();
        ty.is_some_and(crate::hir::is_reference)
    };
    let start = |local: LocalId| body.locals[local.0].is_argument();
    let presence = presence(&points, &later, start, body.locals.len(), refers, looks);
    let mut facts = Facts {
        is_generic,
        looked: &looked,
        in_place,
        stable,
        asked: Vec::new(),
        body,
        cfg,
        points,
        plain,
        later,
        named,
        presence,
        doubted: Vec::new(),
    };
    let mut liveness = Liveness {
        in_place: in_place.to_vec(),
        stable: stable.to_vec(),
        ..Liveness::default()
    };
    for block in 0..cfg.blocks.len() {
        let (entry, bare) = facts.entry(BlockId(block), doubts);
        liveness.entry.push(entry);
        liveness.bare.push(bare);
    }
    facts.check_events(doubts);
    facts.exits(&mut liveness);
    facts.take_out(&mut liveness, doubts);
    liveness.questions = facts.questions();
    facts.operands(&mut liveness, doubts);
    facts.check_crossing(&mut liveness, doubts);
    liveness.unused = facts.unused(&liveness);
    liveness.unmoved = facts.unmoved(&liveness);
    liveness
}

/// Why it is not sure that a local has its value.
fn doubt(presence: Presence) -> Option<Reason> {
    if presence.may_be(Presence::UNSURE) {
        return Some(Reason::MovedOrUsed);
    }
    if presence.may_be(Presence::PART) {
        return Some(Reason::PartialMove);
    }
    let both = presence.may_be(Presence::HERE) && presence.may_be(Presence::GONE);
    both.then_some(Reason::ConditionalMove)
}

/// Methods that only look at a local: it is used again behind a call. All calls of a method on a local
/// are calls of the same one.
fn looks(body: &Body, points: &Points, later: &[Set]) -> Vec<(LocalId, String)> {
    let mut looked = Vec::new();
    for (at, method) in &points.methods {
        let Effect::Use(local, Use::Receiver) = points.all[*at].effect else {
            continue;
        };
        if !after(later, &points.all[*at].next).has(local) {
            continue;
        }
        let is_alike = |other: &LocalId| {
            let (one, other) = (&body.locals[local.0], &body.locals[other.0]);
            let text =
                |ty: &Option<syn::Type>| ty.as_ref().map(|ty| ty.to_token_stream().to_string());
            one.ident == other.ident || one.ty.is_some() && text(&one.ty) == text(&other.ty)
        };
        let alike = (0..body.locals.len()).map(LocalId).filter(is_alike);
        looked.extend(alike.map(|local| (local, method.clone())));
    }
    looked
}

/// The first place of a name in an expression.
fn named_at(tokens: TokenStream, name: &Ident) -> Option<Ident> {
    let mut tokens = tokens.into_iter();
    tokens.find_map(|token| match token {
        TokenTree::Ident(ident) if ident == *name => Some(ident),
        TokenTree::Group(group) => named_at(group.stream(), name),
        _ => None,
    })
}

pub(super) struct Facts<'b> {
    /// Of a function with type parameters nothing is asked, if it can be explicit at all.
    pub(super) is_generic: bool,
    /// Methods that only look at these locals.
    pub(super) looked: &'b [(LocalId, String)],
    pub(super) in_place: &'b [LocalId],
    pub(super) stable: &'b [LocalId],
    /// The points at which methods are called that may take their local.
    pub(super) asked: Vec<usize>,
    pub(super) body: &'b Body,
    pub(super) cfg: &'b Cfg,
    pub(super) points: Points,
    pub(super) plain: Vec<bool>,
    /// What is used at a point or later.
    pub(super) later: Vec<Set>,
    /// What is named, even if only to be assigned.
    pub(super) named: Vec<Set>,
    pub(super) presence: Vec<Vec<Presence>>,
    /// Locals that were doubted already.
    pub(super) doubted: Vec<LocalId>,
}

impl Facts<'_> {
    fn entry(&mut self, block: BlockId, doubts: &mut Doubts) -> (Vec<Live>, Vec<LocalId>) {
        let at = self.points.entry[block.0];
        let (mut entry, mut bare) = (Vec::new(), Vec::new());
        if self.presence[at].is_empty() {
            return (entry, bare);
        }
        for &local in &self.cfg.blocks[block.0].in_scope {
            let presence = self.presence[at][local.0];
            let is_named = self.named[at].has(local);
            let is_stable = self.stable.contains(&local);
            let is_used = self.later[at].has(local);
            let is_kept = is_used || is_stable || !self.plain[local.0];
            let question = presence.asked().filter(|_| is_kept);
            let question = question.and_then(|at| self.question(at, local));
            let reason = doubt(presence).filter(|_| is_kept && question.is_none());
            if let Some(reason) = reason {
                let moved =
                    (reason == Reason::ConditionalMove).then(|| self.move_before(at, local));
                self.note_at(reason, local, moved.flatten(), doubts);
            }
            let is_here = presence != Presence::GONE && is_kept;
            let is_used = is_used || is_stable && question.is_none();
            if is_here && !is_used && is_named {
                self.note(Reason::Renewed, local, doubts);
            }
            if is_here {
                let need = match question {
                    _ if is_used => Need::Used,
                    Some(question) => Need::Unless(question),
                    None => Need::Scope,
                };
                entry.push(Live { local, need });
            } else if is_named && self.names(block, local) {
                bare.push(local);
            }
        }
        (entry, bare)
    }

    /// Whether the block itself names the local.
    fn names(&self, block: BlockId, local: LocalId) -> bool {
        let mut points = self.points_of(block).into_iter();
        points
            .any(|at| matches!(self.points.all[at].effect, Effect::Use(other, _) if other == local))
    }

    fn note(&mut self, reason: Reason, local: LocalId, doubts: &mut Doubts) {
        self.note_at(reason, local, None, doubts);
    }

    /// Notes a doubt about a local at one of its uses, or else at its declaration.
    fn note_at(
        &mut self,
        reason: Reason,
        local: LocalId,
        place: Option<Ident>,
        doubts: &mut Doubts,
    ) {
        if !self.doubted.contains(&local) {
            self.doubted.push(local);
            let declared = &self.body.locals[local.0].ident;
            doubts.note_local(reason, place.as_ref().unwrap_or(declared));
        }
    }

    /// The first use that moves a local on a way to a point.
    fn move_before(&self, to: usize, local: LocalId) -> Option<Ident> {
        let mut uses = self.points.uses.iter();
        let (_, moved) = uses.find(|(at, _)| {
            let effect = self.points.all[**at].effect;
            matches!(effect, Effect::Use(other, Use::Value | Use::Scrutinee) if other == local)
                && self.points.leads(**at, to)
        })?;
        let name = &self.body.locals[local.0].ident;
        let tokens = self.body.exprs[moved.expr.0].to_token_stream();
        named_at(tokens, name)
    }

    /// Doubts locals that an event may take: nothing uses them later.
    fn check_events(&self, doubts: &mut Doubts) {
        for at in &self.points.events {
            let point = &self.points.all[*at];
            let Effect::Use(local, _) = point.effect else {
                continue;
            };
            if !self.plain[local.0] && !after(&self.later, &point.next).has(local) {
                doubts.note_local(Reason::CallInEvent, &self.body.locals[local.0].ident);
            }
        }
    }

    fn operands(&self, liveness: &mut Liveness, doubts: &mut Doubts) {
        let origins = Origins::of(self.body, self.cfg);
        let copied = |local: LocalId| self.plain[local.0] || !origins.may_be_exclusive(local);
        for id in 0..self.body.awaits.len() {
            let resume = self.cfg.blocks.iter().find_map(|block| match block.end {
                End::Suspend { id: waits, resume } if waits == AwaitId(id) => Some(resume),
                _ => None,
            });
            let kept = resume.map_or(&[][..], |resume| &liveness.entry[resume.0]);
            let kept = |local| kept.iter().any(|live| live.local == local);
            let mut found = operand(
                self.body,
                &self.points,
                &self.later,
                AwaitId(id),
                copied,
                kept,
                doubts,
            );
            let lends = !found.lends.is_empty();
            let dropped = found.takes.iter().filter(|local| !self.plain[local.0]);
            let dropped: Vec<_> = dropped.copied().filter(|_| lends).collect();
            let expr = &self.body.exprs[self.body.awaits[id].operand.0];
            if let Some(local) = taken_late(self.body, expr, &dropped) {
                doubts.note_local(Reason::TakenLate, &self.body.locals[local.0].ident);
            }
            found.asks = self.asks(AwaitId(id));
            found.lends.retain(|lent| !self.stable.contains(lent));
            if let Some((local, _)) = found.asks {
                found.lends.retain(|lent| *lent != local);
                found.takes.retain(|taken| *taken != local);
                if !liveness.in_place.contains(&local) {
                    liveness.in_place.push(local);
                }
            }
            for lent in &found.lends {
                if !liveness.in_place.contains(lent) {
                    liveness.in_place.push(*lent);
                }
            }
            liveness.operands.push(found);
        }
        liveness.in_place.sort();
        for data in &self.body.awaits {
            let operand = &self.body.exprs[data.operand.0];
            for (local, reason) in hidden(self.body, &liveness.in_place, operand) {
                doubts.note_local(reason, &self.body.locals[local.0].ident);
            }
        }
        liveness.moves = self.moves();
    }

    /// The uses that move.
    fn moves(&self) -> Moves {
        let mut moves = Moves::new();
        for (at, used) in &self.points.uses {
            let Effect::Use(local, Use::Value | Use::Scrutinee) = self.points.all[*at].effect
            else {
                continue;
            };
            if after(&self.later, &self.points.all[*at].next).has(local) {
                continue;
            }
            moves.insert((used.expr, local, used.number));
        }
        moves
    }

    /// Doubts about locals that live across a border, where that is an await or another block.
    fn check_crossing(&self, liveness: &mut Liveness, doubts: &mut Doubts) {
        let origins = Origins::of(self.body, self.cfg);
        let mut crossing: Vec<LocalId> = liveness
            .entry
            .iter()
            .flatten()
            .map(|live| live.local)
            .collect();
        crossing.sort();
        crossing.dedup();
        for local in crossing {
            if !self.body.locals[local.0].is_temp() || self.crosses_await(local, liveness) {
                liveness.stable.extend(origins.check(local, doubts));
            }
        }
        for id in 0..self.body.awaits.len() {
            let operand = &liveness.operands[id];
            let mut stable = origins.carried(self.body.awaits[id].operand);
            let named = |local: &LocalId| self.names_in_operand(AwaitId(id), *local);
            if !stable.is_empty() || self.stable.iter().any(named) {
                // What is lent otherwise would be out of reach of what is lent by its place.
                stable.extend(&operand.lends);
                stable.extend(operand.asks.map(|(local, _)| local));
            }
            liveness.stable.extend(stable);
        }
    }

    fn crosses_await(&self, local: LocalId, liveness: &Liveness) -> bool {
        self.cfg.blocks.iter().any(|block| match block.end {
            End::Suspend { resume, .. } => liveness.entry[resume.0]
                .iter()
                .any(|live| live.local == local),
            _ => false,
        })
    }
}
