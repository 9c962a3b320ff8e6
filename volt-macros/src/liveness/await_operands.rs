//! The locals that awaited operands borrow or move.

use std::collections::BTreeSet;

use super::borrows::{captured, check_form, hidden, moved_after_call};
use super::decide::LivenessBuilder;
use super::result::{LiveSpan, Liveness, Need, Operand};
use crate::fallback::{FallbackReason, Fallbacks};
use crate::hir::{
    AwaitId, LocalId, StoredTypes, Use, is_borrowed_by_methods, is_copy, is_reference,
};
use syn::Type;

impl LivenessBuilder<'_> {
    /// Decides for each await how its operand uses locals, and which of these stay in their places.
    pub(super) fn operands(&mut self, liveness: &mut Liveness, fallbacks: &mut Fallbacks) {
        self.check_bound_arguments(fallbacks);
        for id in (0..self.body.awaits.len()).map(AwaitId) {
            let mut found = self.operand(id, liveness, fallbacks);
            found.query = self.query_of(id);
            let queried = found.query.map(|(local, _)| local);
            found.borrows.retain(|local| queried != Some(*local));
            self.check_moved_after_call(id, &found, fallbacks);
            found.borrows.retain(|local| !self.stable.contains(local));
            found.moves.retain(|local| queried != Some(*local));
            liveness
                .in_place
                .extend(found.borrows.iter().chain(&queried));
            liveness.operands.push(found);
        }
        for operand in (0..self.body.awaits.len()).map(|id| self.body.operand(AwaitId(id))) {
            for (local, reason) in hidden(self.body, &liveness.in_place, operand) {
                self.note_at(reason, local, fallbacks);
            }
        }
    }

    /// Notes a local that is bound before a call and used later, if a call would borrow it again: a
    /// `&mut`.
    fn check_bound_arguments(&self, fallbacks: &mut Fallbacks) {
        for (at, used) in &self.points.uses {
            if self.body.bound_arguments.contains(&used.expr)
                && let Some((local, _)) = self.points.used(*at)
                && !self.is_last(*at, local)
                && !self.body.is_plain(local)
                && self.borrow_sources.may_be_exclusive(local)
            {
                self.note_at(FallbackReason::CopiedOrBorrowed, local, fallbacks);
            }
        }
    }

    /// Returns the locals that snapshots contain, whatever their types are, and the outputs of
    /// futures in snapshots. They own their content, which the compiler checks.
    pub(super) fn owned(mut self) -> BTreeSet<LocalId> {
        let mut unused = Fallbacks::default();
        let suspensions = self.cfg.suspensions();
        let stored: Vec<_> = suspensions
            .filter(|(id, _)| self.is_owned_at(*id))
            .collect();
        let owned = stored.into_iter().flat_map(|(id, resume)| {
            let lives = self.entry(resume, &mut unused).0.into_iter();
            let used = lives.filter(|live| live.need == Need::Used);
            let used = used.map(|live| live.local);
            used.chain([self.body.awaits[id.0].output])
        });
        owned.collect()
    }

    /// Returns the longest span of a local.
    pub(super) fn span_of(&self, local: LocalId, liveness: &Liveness) -> LiveSpan {
        let waits = self.cfg.suspensions();
        let waits = waits.filter(|(_, resume)| liveness.need(*resume, local).is_some());
        let spans = waits.map(|(id, _)| match self.is_owned_at(id) {
            true => LiveSpan::Snapshot,
            false => LiveSpan::Await,
        });
        spans.max().unwrap_or(LiveSpan::Block)
    }

    /// A match may move a part of a local that is used afterwards.
    fn check_moved_part(
        &mut self,
        id: AwaitId,
        (local, used): (LocalId, Use),
        fallbacks: &mut Fallbacks,
    ) {
        let is_matched = matches!(used, Use::Scrutinee | Use::PartScrutinee);
        if is_matched && !self.body.is_plain(local) && self.is_used_after(id, local) {
            self.note_at(FallbackReason::PartialMove, local, fallbacks);
        }
    }

    /// Returns `true` if a snapshot contains the future of an await, which then borrows nothing.
    pub(super) fn is_owned_at(&self, id: AwaitId) -> bool {
        self.body.stored_types == StoredTypes::Owned && !self.body.awaits[id.0].is_step
    }

    fn operand(&mut self, id: AwaitId, liveness: &Liveness, fallbacks: &mut Fallbacks) -> Operand {
        let mut operand = Operand::default();
        let points = self.points.operand[id.0].clone();
        if points.is_empty() {
            return operand;
        }
        for at in points {
            let Some((local, used)) = self.points.used(at) else {
                continue;
            };
            let may_be_lent = used == Use::Receiver && self.body.has_type(local, is_reference);
            if may_be_lent && !self.is_live_after(id, local, liveness) {
                self.assume_reborrowed(at, local);
            }
            let is_borrowed = match used {
                _ if self.is_receiver_of_owned(id, at) => false,
                _ if self.points.borrowed_whole.contains(&at) => {
                    self.is_live_after(id, local, liveness)
                }
                // A method may borrow a number, too: `n.go()` with `&self`.
                Use::Receiver if self.body.has_type(local, is_borrowed_by_methods) => {
                    self.is_live_after(id, local, liveness)
                }
                // `look(&pair.1)` borrows from the state, unless `pair` is a reference.
                Use::Shared if self.body.has_type(local, has_copied_parts) => {
                    self.is_live_after(id, local, liveness)
                }
                _ if self.body.has_type(local, is_copy) && used != Use::Mutable => false,
                Use::Value | Use::Scrutinee => {
                    let is_typed = self.body.has_type(local, |_| true);
                    let is_borrowed = !is_typed && operand.borrows.contains(&local);
                    self.is_reborrowed(id, (at, local), is_borrowed, fallbacks)
                }
                Use::Part | Use::Copied => false,
                _ => self.is_live_after(id, local, liveness),
            };
            self.check_moved_part(id, (local, used), fallbacks);
            let named = if is_borrowed {
                &mut operand.borrows
            } else {
                &mut operand.moves
            };
            if !named.contains(&local) {
                named.push(local);
            }
        }
        // A closure receives references to the borrowed locals, and moves all others that it names.
        // The operand of a query is in a closure where the method borrows its receiver.
        if !operand.borrows.is_empty() || self.query_of(id).is_some() {
            let moves = operand.moves.iter();
            let copied = moves.filter(|local| self.copies_from(id, **local));
            operand.borrows.extend(copied);
        }
        operand
            .moves
            .retain(|local| !operand.borrows.contains(local));
        check_form(self.body, self.body.operand(id), &operand, fallbacks);
        if let Some(local) = self.borrow_sources.borrowing_closure(id)
            && !self.is_owned_at(id)
        {
            self.note_at(FallbackReason::StoredClosure, local, fallbacks);
        }
        operand
    }

    /// Returns `true` if a use in an operand is the receiver of a method whose output is owned:
    /// `send(page.id.clone()).await`. The compiler confirms that.
    fn is_receiver_of_owned(&mut self, id: AwaitId, at: usize) -> bool {
        let is_owned = !self.is_generic && self.points.owned_calls.contains(&at);
        if is_owned && !self.queried.contains(&at) {
            self.owned_operands.insert(self.body.awaits[id.0].operand);
            return true;
        }
        false
    }

    /// Returns `true` if a local is live where an await ends.
    fn is_live_after(&self, id: AwaitId, local: LocalId, liveness: &Liveness) -> bool {
        let mut suspensions = self.cfg.suspensions();
        suspensions.any(|(other, resume)| other == id && liveness.need(resume, local).is_some())
    }

    /// Returns `true` if an operand copies an element of a local that is used later, or calls a
    /// method of it whose output is owned.
    fn copies_from(&self, id: AwaitId, local: LocalId) -> bool {
        let mut points = self.points.operand[id.0].clone();
        let copies = points.any(|at| {
            self.points.used(at).is_some_and(|(other, used)| {
                let is_owned = self.points.owned_calls.contains(&at);
                other == local && (used == Use::Copied || is_owned)
            })
        });
        copies && !self.body.is_plain(local) && self.is_used_after(id, local)
    }

    fn is_used_after(&self, id: AwaitId, local: LocalId) -> bool {
        self.later
            .contains(self.points.operand[id.0].end - 1, local)
    }

    /// Returns `true` if an operand that names a local by value borrows it: the local is a
    /// reference, and is used later. If the same operand borrows the local before, that may be the
    /// later use. Then it may be a move.
    fn is_reborrowed(
        &mut self,
        id: AwaitId,
        (at, local): (usize, LocalId),
        is_borrowed: bool,
        fallbacks: &mut Fallbacks,
    ) -> bool {
        if !self.is_used_after(id, local) {
            return false;
        }
        let is_reference = self.body.has_type(local, is_reference);
        let is_copied = self.body.is_plain(local)
            || !is_borrowed && !self.borrow_sources.may_be_exclusive(local);
        if !is_reference && !is_copied && (is_borrowed || !self.assume_part_stays(at)) {
            self.note_at(FallbackReason::CopiedOrBorrowed, local, fallbacks);
        }
        is_reference
    }

    /// Notes a local that an operand moves after a call, while it borrows other locals.
    ///
    /// The operand is written in a closure, which has moved `page` before the call. If `next`
    /// panics, the closure drops `page` before the other locals. The plain function drops `page` in
    /// its order. That does not matter for a type without a destructor, as the probe confirms.
    ///
    /// ```text
    /// send(&mut conn, next(), page)
    /// ```
    fn check_moved_after_call(
        &mut self,
        id: AwaitId,
        operand: &Operand,
        fallbacks: &mut Fallbacks,
    ) {
        if operand.borrows.is_empty() {
            return;
        }
        let queried = operand.query.map(|(local, _)| local);
        let moves = operand.moves.iter().copied().chain(queried);
        // A parameter of a closure in the operand is no local that the operand moves.
        let outer = captured(self.body, self.body.operand(id));
        let moves = moves.filter(|local| outer.contains(local));
        let mut dropped: Vec<_> = moves.filter(|local| !self.body.is_plain(*local)).collect();
        while let Some(local) = moved_after_call(self.body, self.body.operand(id), &dropped) {
            let points = self.points.operand[id.0].clone();
            let is_last = !self.is_used_after(id, local);
            if !self.assume_no_destructor(points, local, is_last) {
                fallbacks.note(FallbackReason::TakenLate, self.body.operand(id));
                return;
            }
            dropped.retain(|other| *other != local);
        }
    }
}

/// Returns `true` if the value is copied and has parts, which are not behind a reference.
fn has_copied_parts(ty: &Type) -> bool {
    match ty {
        Type::Tuple(_) | Type::Array(_) => is_copy(ty),
        Type::Paren(node) => has_copied_parts(&node.elem),
        _ => false,
    }
}
