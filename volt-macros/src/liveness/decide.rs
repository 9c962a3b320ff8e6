//! The decision: what each block finds where it begins.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;

use super::borrowed::Borrows;
use super::dataflow::{Set, is_last, named_later, used_later};
use super::lives::{Live, Liveness, Moves, Need};
use super::origins::Origins;
use super::points::Points;
use super::presence::{Flow, Presence};
use super::walk::draw;
use crate::cfg::{BlockId, Cfg, End, Leaves, Step};
use crate::doubt::{Doubts, Reason};
use crate::hir::{AwaitId, Body, LocalId, Use};

/// How many blocks a machine may have.
const MOST_BLOCKS: usize = 120;

/// Decides what lives where.
pub(crate) fn decide(body: &Body, cfg: &Cfg, doubts: &mut Doubts) -> Liveness {
    if cfg.blocks.len() > MOST_BLOCKS {
        let first = body.locals.first();
        doubts.note(Reason::TooLarge, &first.map(|local| &local.ident));
    }
    let is_generic = doubts.has(Reason::TypeParameter);
    let (mut in_place, mut stable) = (BTreeSet::new(), BTreeSet::new());
    loop {
        let before = (in_place.len(), stable.len());
        let mut found = Doubts::default();
        let known = |set: &BTreeSet<LocalId>| set.iter().copied().collect::<Vec<_>>();
        let sets = [&known(&in_place)[..], &known(&stable)];
        let liveness = attempt(&mut Facts::of(body, cfg, sets, is_generic), &mut found);
        in_place.extend(&liveness.in_place);
        in_place.extend(&liveness.stable);
        stable.extend(&liveness.stable);
        if (in_place.len(), stable.len()) == before {
            doubts.append(found);
            check_awaits(body, cfg, doubts);
            return liveness;
        }
    }
}

/// Doubts an await that is never reached, as it has no block behind it, unless a local told of such code already.
fn check_awaits(body: &Body, cfg: &Cfg, doubts: &mut Doubts) {
    let is_reached = |id: usize| cfg.waits().any(|(reached, _)| reached.0 == id);
    let unreached = (0..body.awaits.len()).find(|id| !is_reached(*id));
    if let Some(id) = unreached.filter(|_| !doubts.has(Reason::NeverReached)) {
        let operand = body.awaits[id].operand;
        doubts.note(Reason::NeverReached, &body.exprs[operand.0]);
    }
}

/// Decides, where some locals are known to lie in their places, and some to stay there.
fn attempt(facts: &mut Facts<'_>, doubts: &mut Doubts) -> Liveness {
    let mut liveness = Liveness {
        in_place: facts.in_place.to_vec(),
        stable: facts.stable.to_vec(),
        ..Liveness::default()
    };
    for block in 0..facts.cfg.blocks.len() {
        let (entry, bare) = facts.entry(BlockId(block), doubts);
        liveness.entry.push(entry);
        liveness.bare.push(bare);
    }
    facts.check_exits(&liveness, doubts);
    facts.check_events(doubts);
    facts.check_takings(&liveness, doubts);
    liveness.questions = facts.questions();
    facts.operands(&mut liveness, doubts);
    liveness.moves = facts.moves();
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
    pub(super) in_place: &'b [LocalId],
    pub(super) stable: &'b [LocalId],
    /// The points at which methods are called that may take their local.
    pub(super) asked: Vec<usize>,
    pub(super) body: &'b Body,
    pub(super) cfg: &'b Cfg,
    pub(super) points: Points,
    /// What is used at a point or later.
    pub(super) later: Vec<Set>,
    /// What is named, even if only to be assigned.
    pub(super) named: Vec<Set>,
    pub(super) presence: Vec<Vec<Presence>>,
    /// Locals that were doubted already.
    pub(super) doubted: Vec<LocalId>,
}

impl<'b> Facts<'b> {
    fn of(
        body: &'b Body,
        cfg: &'b Cfg,
        [in_place, stable]: [&'b [LocalId]; 2],
        is_generic: bool,
    ) -> Self {
        let mut points = draw(body, cfg);
        let borrows = Borrows { body, in_place };
        borrows.keep(&mut points, cfg);
        let later = used_later(&points);
        let flow = Flow {
            body,
            points: &points,
            later: &later,
        };
        Self {
            presence: flow.presence(),
            named: named_later(&points),
            is_generic,
            in_place,
            stable,
            asked: Vec::new(),
            body,
            cfg,
            points,
            later,
            doubted: Vec::new(),
        }
    }

    /// Whether a local is not used behind a point.
    pub(super) fn is_last(&self, at: usize, local: LocalId) -> bool {
        is_last(&self.points, &self.later, at, local)
    }

    /// What a block finds where it begins, and what is in scope there without a value and is named in it.
    fn entry(&mut self, block: BlockId, doubts: &mut Doubts) -> (Vec<Live>, Vec<LocalId>) {
        let at = self.points.entry[block.0];
        let (mut entry, mut bare) = (Vec::new(), Vec::new());
        if self.presence[at].is_empty() {
            self.check_unreached(block, doubts);
            return (entry, bare);
        }
        for &local in &self.cfg.blocks[block.0].in_scope {
            match self.need(at, local, doubts) {
                Some(need) => entry.push(Live { local, need }),
                None if self.named[at].has(local) && self.names(block, local) => bare.push(local),
                None => {}
            }
        }
        (entry, bare)
    }

    /// Doubts locals that are named in a block which is never reached: it is written all the same.
    fn check_unreached(&mut self, block: BlockId, doubts: &mut Doubts) {
        for &local in &self.cfg.blocks[block.0].in_scope {
            if !self.body.locals[local.0].is_temp() && self.names(block, local) {
                self.note_at(Reason::NeverReached, local, None, doubts);
            }
        }
    }

    /// Why a local is kept at a point, if it has a value there and is.
    fn need(&mut self, at: usize, local: LocalId, doubts: &mut Doubts) -> Option<Need> {
        let presence = self.presence[at][local.0];
        let is_used = self.later[at].has(local);
        let is_stable = self.stable.contains(&local);
        let is_kept = is_used || is_stable || !self.body.is_plain(local);
        if presence == Presence::GONE || !is_kept {
            return None;
        }
        let question = presence.asked().and_then(|at| self.question(at, local));
        if let Some(reason) = doubt(presence).filter(|_| question.is_none()) {
            let moved = (reason == Reason::ConditionalMove).then(|| self.move_before(at, local));
            self.note_at(reason, local, moved.flatten(), doubts);
        }
        if is_used || is_stable && question.is_none() {
            return Some(Need::Used);
        }
        if self.named[at].has(local) {
            self.note_at(Reason::Renewed, local, None, doubts);
        }
        Some(question.map_or(Need::Scope, Need::Unless))
    }

    /// Doubts locals that a block declares and may have taken, where another scope of the block ends on the way to the next one:
    /// the local is given to what stands behind that scope, and what was taken cannot be.
    fn check_exits(&mut self, liveness: &Liveness, doubts: &mut Doubts) {
        for (block, to) in self.exits() {
            let declared = self.declared_in(block);
            let in_scope = &self.cfg.blocks[to.0].in_scope;
            if declared.iter().all(|local| in_scope.contains(local)) {
                continue;
            }
            for live in &liveness.entry[to.0] {
                if matches!(live.need, Need::Unless(_)) && declared.contains(&live.local) {
                    self.note_at(Reason::MovedOrUsed, live.local, None, doubts);
                }
            }
        }
    }

    /// The blocks to which each goes on, unless it waits in between.
    fn exits(&self) -> Vec<(BlockId, BlockId)> {
        let blocks = self.cfg.blocks.iter().enumerate();
        let exits = blocks.flat_map(|(id, block)| {
            let waits = matches!(block.end, End::Suspend { .. });
            let next = block.next().filter(move |_| !waits);
            let jumps = block
                .exprs()
                .into_iter()
                .flat_map(|expr| Leaves::of(&self.body.exprs[expr.0]).jumps);
            let jumps = jumps.map(|jump| self.cfg.jumps[jump].to);
            next.chain(jumps).map(move |to| (BlockId(id), to))
        });
        exits.collect()
    }

    /// What a block declares.
    fn declared_in(&self, block: BlockId) -> Vec<LocalId> {
        let awaited = self.cfg.awaited_before(block);
        let mut declared: Vec<_> = awaited
            .map(|id| self.body.awaits[id.0].output)
            .into_iter()
            .collect();
        for step in &self.cfg.blocks[block.0].steps {
            match step {
                Step::Let { binds, .. } => declared.extend(binds),
                Step::Set { local, .. } => declared.push(*local),
                Step::Eval(_) | Step::Return(_) => {}
            }
        }
        declared
    }

    /// Whether the block itself names the local.
    fn names(&self, block: BlockId, local: LocalId) -> bool {
        let mut points = self.points.of(block).into_iter();
        points.any(|at| self.points.is_used(at, local))
    }

    /// Notes a doubt about a local at one of its uses, or else at its declaration.
    pub(super) fn note_at(
        &mut self,
        reason: Reason,
        local: LocalId,
        place: Option<Ident>,
        doubts: &mut Doubts,
    ) {
        if !self.doubted.contains(&local) {
            self.doubted.push(local);
            let declared = &self.body.locals[local.0].ident;
            doubts.note(reason, place.as_ref().unwrap_or(declared));
        }
    }

    /// The first use that moves a local on a way to a point.
    fn move_before(&self, to: usize, local: LocalId) -> Option<Ident> {
        let moves = |at: usize| {
            let used = self.points.used(at);
            let moves = [Use::Value, Use::Scrutinee].map(|used| Some((local, used)));
            moves.contains(&used) && self.points.leads(at, to)
        };
        let mut uses = self.points.uses.iter();
        let (_, moved) = uses.find(|(at, _)| moves(**at))?;
        let name = &self.body.locals[local.0].ident;
        let tokens = self.body.exprs[moved.expr.0].to_token_stream();
        named_at(tokens, name)
    }

    /// Doubts locals that an event may take: nothing uses them later.
    fn check_events(&self, doubts: &mut Doubts) {
        for at in &self.points.events {
            if let Some((local, _)) = self.points.used(*at)
                && !self.body.is_plain(local)
                && self.is_last(*at, local)
            {
                doubts.note(Reason::CallInEvent, &self.body.locals[local.0].ident);
            }
        }
    }

    /// The uses that move.
    fn moves(&self) -> Moves {
        let uses = self.points.uses.iter();
        let moves = uses.filter_map(|(at, used)| match self.points.used(*at)? {
            (local, Use::Value | Use::Scrutinee) if self.is_last(*at, local) => {
                Some((used.expr, local, used.number))
            }
            _ => None,
        });
        moves.collect()
    }

    /// Doubts about locals that live across a border, where that is an await or another block.
    fn check_crossing(&self, liveness: &mut Liveness, doubts: &mut Doubts) {
        let origins = Origins::of(self.body, self.cfg);
        let lives = liveness.entry.iter().flatten();
        let crossing: BTreeSet<LocalId> = lives.map(|live| live.local).collect();
        for local in crossing {
            let waits = liveness.crosses_await(self.cfg, local);
            liveness.stable.extend(origins.check(local, waits, doubts));
        }
        for id in (0..self.body.awaits.len()).map(AwaitId) {
            let operand = &liveness.operands[id.0];
            let mut stable = origins.carried(id, doubts);
            let named = |local: &LocalId| self.names_in_operand(id, *local);
            if !stable.is_empty() || self.stable.iter().any(named) {
                // What is lent otherwise would be out of reach of what is lent by its place.
                stable.extend(&operand.lends);
                stable.extend(operand.asks.map(|(local, _)| local));
            }
            liveness.stable.extend(stable);
        }
    }
}
