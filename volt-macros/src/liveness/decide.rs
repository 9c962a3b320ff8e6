//! The decision which locals are stored where each block begins.

use std::collections::BTreeSet;

use proc_macro2::Span;

use super::borrows::BorrowSources;
use super::dataflow::{Flow, Later, Presence, is_last, named_later, used_later};
use super::held_borrows::keep;
use super::points::Points;
use super::points::draw;
use super::result::{Claim, Live, LiveSpan, Liveness, Moves, Need};
use crate::cfg::{BlockId, Cfg, Step};
use crate::fallback::{FallbackReason, Fallbacks};
use crate::hir::{
    AwaitId, Body, ExprId, LocalId, ReceiverQuery, StoredTypes, Use, is_fully_written, is_reference,
};
use crate::syntax::source_text;

/// The largest number of blocks of a machine.
const MAX_BLOCKS: usize = 120;

/// Computes the liveness of a function.
pub(crate) fn decide(body: &Body, cfg: &Cfg, fallbacks: &mut Fallbacks) -> Liveness {
    if cfg.blocks.len() > MAX_BLOCKS {
        let first = body.locals.first();
        fallbacks.note(FallbackReason::TooLarge, &first.map(|local| &local.ident));
    }
    let is_generic = fallbacks.has(FallbackReason::TypeParameter);
    let mut borrow_sources = BorrowSources::of(body, cfg, is_generic);
    let (mut in_place, mut stable) = (BTreeSet::new(), BTreeSet::new());
    if body.stored_types == StoredTypes::Owned {
        let builder = LivenessBuilder::of(body, cfg, &borrow_sources, [&in_place, &stable]);
        borrow_sources.owned = builder.owned();
    }
    loop {
        let mut found = Fallbacks::default();
        let mut builder = LivenessBuilder::of(body, cfg, &borrow_sources, [&in_place, &stable]);
        builder.is_generic = is_generic;
        let mut liveness = attempt(&mut builder, &mut found);
        let all = &liveness.in_place | &liveness.stable;
        if (&all, &liveness.stable) == (&in_place, &stable) {
            complete(&mut builder, &mut liveness);
            fallbacks.append(found);
            check_awaits(body, cfg, fallbacks);
            borrow_sources.show_sources(fallbacks);
            return liveness;
        }
        (in_place, stable) = (all, liveness.stable);
    }
}

/// Notes an await that is never reached, because no block follows it. A local in unreachable code
/// has been noted instead, if there is one.
fn check_awaits(body: &Body, cfg: &Cfg, fallbacks: &mut Fallbacks) {
    let is_reached = |id: usize| cfg.suspensions().any(|(reached, _)| reached.0 == id);
    let unreached = (0..body.awaits.len()).find(|id| !is_reached(*id));
    if let Some(id) = unreached.filter(|_| !fallbacks.has(FallbackReason::NeverReached)) {
        fallbacks.note(FallbackReason::NeverReached, body.operand(AwaitId(id)));
    }
}

/// Computes the liveness under the assumption that some locals stay in their places.
fn attempt(builder: &mut LivenessBuilder<'_>, fallbacks: &mut Fallbacks) -> Liveness {
    let mut liveness = Liveness {
        in_place: builder.in_place.clone(),
        stable: builder.stable.clone(),
        ..Liveness::default()
    };
    for block in 0..builder.cfg.blocks.len() {
        let (entry, bare) = builder.entry(BlockId(block), fallbacks);
        liveness.entry.push(entry);
        liveness.uninitialized.push(bare);
    }
    liveness.stable.extend(builder.split_locals(&liveness));
    builder.check_exits(&liveness, fallbacks);
    builder.check_events(fallbacks);
    builder.check_moves_of_borrowed(&liveness, fallbacks);
    liveness.queries = builder.queries();
    builder.operands(&mut liveness, fallbacks);
    liveness.moves = builder.moves();
    builder.check_crossing(&mut liveness, fallbacks);
    liveness
}

/// Adds the facts on which no assumption depends.
fn complete(builder: &mut LivenessBuilder<'_>, liveness: &mut Liveness) {
    liveness.trusted_types = builder.borrow_sources.trusted_types();
    liveness.trusted_methods = builder.borrow_sources.trusted_methods();
    liveness.trusted_methods.append(&mut builder.owned_operands);
    liveness.claims = std::mem::take(&mut builder.claims);
    liveness.patterns = std::mem::take(&mut builder.points.patterns);
    liveness.dead_borrows = builder.dead_borrows(liveness);
    liveness.used_in_place = builder.used_in_place(liveness);
}

/// The fallback reason if a local may have no value.
fn fallback_reason(presence: Presence) -> Option<FallbackReason> {
    if presence.may_be(Presence::MAYBE_MOVED) {
        return Some(FallbackReason::MovedOrUsed);
    }
    if presence.may_be(Presence::PARTLY_MOVED) {
        return Some(FallbackReason::PartialMove);
    }
    let both = presence.may_be(Presence::PRESENT) && presence.may_be(Presence::ABSENT);
    both.then_some(FallbackReason::ConditionalMove)
}

pub(super) struct LivenessBuilder<'b> {
    /// `true` for a generic function, for which the compiler answers no queries.
    pub(super) is_generic: bool,
    pub(super) in_place: &'b BTreeSet<LocalId>,
    pub(super) stable: &'b BTreeSet<LocalId>,
    /// The points of method calls that may move their local.
    pub(super) queried: Vec<usize>,
    /// The claims that the compiler has to confirm, each once.
    pub(super) claims: Vec<(ReceiverQuery, Claim)>,
    /// The operands in which methods return owned values, by their names.
    pub(super) owned_operands: BTreeSet<ExprId>,
    pub(super) body: &'b Body,
    pub(super) cfg: &'b Cfg,
    pub(super) borrow_sources: &'b BorrowSources<'b>,
    pub(super) points: Points,
    /// The locals that are used at a point or later.
    pub(super) later: Later,
    /// The locals that are used or assigned at a point or later.
    pub(super) named: Later,
    pub(super) presence: Vec<Vec<Presence>>,
    /// Locals with a fallback reason.
    pub(super) noted: Vec<LocalId>,
}

impl<'b> LivenessBuilder<'b> {
    fn of(
        body: &'b Body,
        cfg: &'b Cfg,
        borrow_sources: &'b BorrowSources<'b>,
        [in_place, stable]: [&'b BTreeSet<LocalId>; 2],
    ) -> Self {
        let mut points = draw(body, cfg);
        keep(body, in_place, &mut points, cfg);
        let later = used_later(&points, body.locals.len());
        let flow = Flow {
            body,
            points: &points,
            later: &later,
        };
        Self {
            presence: flow.presence(),
            named: named_later(&points, body.locals.len()),
            is_generic: false,
            in_place,
            stable,
            queried: Vec::new(),
            claims: Vec::new(),
            owned_operands: BTreeSet::new(),
            body,
            cfg,
            borrow_sources,
            points,
            later,
            noted: Vec::new(),
        }
    }

    /// Returns `true` if a local is not used after a point.
    pub(super) fn is_last(&self, at: usize, local: LocalId) -> bool {
        is_last(&self.points, &self.later, at, local)
    }

    /// The locals that are live where a block begins; and the uninitialised locals in scope that
    /// the block names. The latter are declared again, and need a written type for that.
    pub(super) fn entry(
        &mut self,
        block: BlockId,
        fallbacks: &mut Fallbacks,
    ) -> (Vec<Live>, Vec<LocalId>) {
        let at = self.points.entry[block.0];
        let (mut entry, mut bare) = (Vec::new(), Vec::new());
        if self.presence[at].is_empty() {
            self.check_unreached(block, fallbacks);
            return (entry, bare);
        }
        for &local in &self.cfg.blocks[block.0].in_scope {
            match self.need(at, local, fallbacks) {
                Some(need) => entry.push(Live { local, need }),
                None if !self.named.contains(at, local) || !self.names(block, local) => {}
                None if self.body.has_type(local, is_fully_written) => bare.push(local),
                None if self.can_be_tied(local) => bare.push(local),
                None => self.note(FallbackReason::ReassignedUntyped, local, fallbacks),
            }
        }
        (entry, bare)
    }

    /// Notes locals in an unreachable block, because the expansion contains the block.
    fn check_unreached(&mut self, block: BlockId, fallbacks: &mut Fallbacks) {
        for &local in &self.cfg.blocks[block.0].in_scope {
            if !self.body.locals[local.0].is_temp() && self.names(block, local) {
                self.note(FallbackReason::NeverReached, local, fallbacks);
            }
        }
    }

    /// Returns `true` if the first declaration of a local determines the type of the later ones.
    /// This holds for a `let` of a block.
    fn can_be_tied(&self, local: LocalId) -> bool {
        let mut steps = self.cfg.blocks.iter().flat_map(|block| &block.steps);
        let is_declared =
            steps.any(|step| matches!(step, Step::Let(node) if node.binds.contains(&local)));
        is_declared && !self.is_generic && !self.in_place.contains(&local)
    }

    /// The reason for which a local is stored at a point, if it has a value there and is needed.
    fn need(&mut self, at: usize, local: LocalId, fallbacks: &mut Fallbacks) -> Option<Need> {
        let presence = self.confirmed(at, local);
        let is_used = self.later.contains(at, local);
        let is_stable = self.stable.contains(&local);
        let is_kept = is_used || is_stable || !self.body.is_plain(local);
        if presence == Presence::ABSENT || !is_kept {
            return None;
        }
        let query = presence.queried().and_then(|at| self.query(at, local));
        if let Some(reason) = fallback_reason(presence).filter(|_| query.is_none()) {
            self.note(reason, local, fallbacks);
        }
        if is_used || is_stable && query.is_none() {
            return Some(Need::Used);
        }
        if self.named.contains(at, local) {
            if query.is_none() && !self.is_generic {
                // The assignment drops the old value.
                return Some(Need::Used);
            }
            self.note(FallbackReason::ReassignedUntyped, local, fallbacks);
        }
        Some(query.map_or(Need::Scope, Need::Unless))
    }

    /// The state of a local, if the compiler confirms the claims about its parts.
    fn confirmed(&mut self, at: usize, local: LocalId) -> Presence {
        let presence = self.presence[at][local.0];
        if self.is_generic {
            return presence.partly_moved_if_destructured();
        }
        let is_part = presence.may_be(Presence::PARTLY_MOVED);
        if !is_part && !presence.may_be(Presence::DESTRUCTURED) {
            return presence;
        }
        if self.assume_parts(at, local) {
            presence.absent_if_destructured().without_parts()
        } else {
            presence.partly_moved_if_destructured()
        }
    }

    /// Notes locals that a block declares and that a method of it may have moved, if another scope
    /// ends on the way to the next block. The local is passed out of that scope, and a moved local
    /// cannot be.
    fn check_exits(&mut self, liveness: &Liveness, fallbacks: &mut Fallbacks) {
        let blocks = (0..self.cfg.blocks.len()).map(BlockId);
        let exits = blocks.flat_map(|block| self.cfg.exits(block).map(move |to| (block, to)));
        for (block, to) in exits {
            let declared = self.declared_in(block);
            let in_scope = &self.cfg.blocks[to.0].in_scope;
            if declared.iter().all(|local| in_scope.contains(local)) {
                continue;
            }
            for live in &liveness.entry[to.0] {
                if matches!(live.need, Need::Unless(_)) && declared.contains(&live.local) {
                    self.note(FallbackReason::MovedOrUsed, live.local, fallbacks);
                }
            }
        }
    }

    /// The locals that a block declares.
    fn declared_in(&self, block: BlockId) -> Vec<LocalId> {
        let awaited = self.cfg.awaited_before(block).into_iter();
        let output = awaited.map(|id| self.body.awaits[id.0].output);
        let steps = self.cfg.blocks[block.0].steps.iter();
        output
            .chain(steps.flat_map(Step::declares).copied())
            .collect()
    }

    /// Returns `true` if the block itself names the local.
    fn names(&self, block: BlockId, local: LocalId) -> bool {
        let mut points = self.points.of(block).into_iter();
        points.any(|at| self.points.is_used(at, local))
    }

    /// Notes the first fallback reason of a local.
    pub(super) fn note(
        &mut self,
        reason: FallbackReason,
        local: LocalId,
        fallbacks: &mut Fallbacks,
    ) {
        if !self.noted.contains(&local) {
            self.noted.push(local);
            self.note_at(reason, local, fallbacks);
        }
    }

    /// Notes a fallback reason of a local, at its declaration. A part is moved at a use, and an
    /// argument is declared in the signature, so their places are uses.
    pub(super) fn note_at(
        &self,
        reason: FallbackReason,
        local: LocalId,
        fallbacks: &mut Fallbacks,
    ) {
        let name = &self.body.locals[local.0].ident;
        if reason.is_of_moves() {
            fallbacks.moved.insert(name.to_string());
        }
        match self.place_of_use(reason, local) {
            Some(span) => fallbacks.note_named(reason, span, &source_text(name)),
            None => fallbacks.note(reason, name),
        }
    }

    /// The use to which a reason applies: one that moves a part, and of an argument that of a part
    /// or the last one.
    fn place_of_use(&self, reason: FallbackReason, local: LocalId) -> Option<Span> {
        let find =
            |is_such: &dyn Fn(usize) -> bool| self.points.place_of_use(self.body, local, is_such);
        if reason == FallbackReason::PartialMove
            && let Some(place) = find(&|at| self.moves_part_before_await(at, local))
        {
            return Some(place);
        }
        let is_argument =
            self.body.locals[local.0].is_argument() || self.body.parameters.contains(&local);
        is_argument.then(|| match reason {
            FallbackReason::LentInParts => find(&|at| self.points.parts.contains_key(&at)),
            _ => find(&|at| self.is_last(at, local)),
        })?
    }

    /// Notes locals that a logging macro may move, because nothing uses them later.
    fn check_events(&self, fallbacks: &mut Fallbacks) {
        for at in &self.points.events {
            if let Some((local, _)) = self.points.used(*at)
                && !self.body.is_plain(local)
                && self.is_last(*at, local)
            {
                self.note_at(FallbackReason::CallInEvent, local, fallbacks);
            }
        }
    }

    /// The uses that move their local.
    fn moves(&self) -> Moves {
        let uses = self.points.uses.iter();
        let moves = uses.filter_map(|(at, used)| match self.points.used(*at)? {
            // A pattern matches through a reference, which stays.
            (local, Use::Scrutinee) if self.body.has_type(local, is_reference) => None,
            (local, Use::Value | Use::Scrutinee) if self.is_last(*at, local) => {
                Some((used.expr, local, used.number))
            }
            _ => None,
        });
        moves.collect()
    }

    /// Notes locals that must not be live across an await, or across the end of a block.
    fn check_crossing(&mut self, liveness: &mut Liveness, fallbacks: &mut Fallbacks) {
        let lives = liveness.entry.iter().flatten();
        let crossing: BTreeSet<LocalId> = lives.map(|live| live.local).collect();
        for local in crossing {
            let span = self.span_of(local, liveness);
            let borrowed = self.borrow_sources.check(local, span, fallbacks);
            if span != LiveSpan::Snapshot {
                self.check_dead(local, &borrowed, liveness, fallbacks);
            }
            self.check_matched(local, liveness, fallbacks);
            liveness.stable.extend(&borrowed);
            liveness.sources.insert(local, borrowed);
        }
        for id in (0..self.body.awaits.len()).map(AwaitId) {
            if self.is_owned_at(id) {
                liveness.operand_sources.push(Vec::new());
                continue;
            }
            let operand = &liveness.operands[id.0];
            let mut stable = self.borrow_sources.borrowed_by_operand(id, fallbacks);
            liveness.operand_sources.push(stable.clone());
            let named = |local: &LocalId| self.names_in_operand(id, *local);
            if !stable.is_empty() || self.stable.iter().any(named) {
                // The two kinds of borrows are not mixed: pointers to places, and references of a
                // closure.
                stable.extend(&operand.borrows);
                stable.extend(operand.query.map(|(local, _)| local));
            }
            liveness.stable.extend(stable);
        }
    }
}
