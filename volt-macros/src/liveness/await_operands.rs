//! What awaited operands borrow and take.

use super::borrows::{check_form, hidden, taken_late};
use super::decide::Facts;
use super::result::{Liveness, Operand};
use crate::fallback::{Doubts, Reason};
use crate::hir::{AwaitId, LocalId, Use, is_copy, is_reference, lends_itself};

impl Facts<'_> {
    /// Decides for each await what its operand does with locals, and which of them lie in their places.
    pub(super) fn operands(&mut self, liveness: &mut Liveness, doubts: &mut Doubts) {
        for id in (0..self.body.awaits.len()).map(AwaitId) {
            let mut found = self.operand(id, liveness, doubts);
            found.asks = self.asks(id);
            let asked = found.asks.map(|(local, _)| local);
            found.lends.retain(|lent| asked != Some(*lent));
            self.check_late(id, &found, doubts);
            found.lends.retain(|lent| !self.stable.contains(lent));
            found.takes.retain(|taken| asked != Some(*taken));
            liveness.in_place.extend(found.lends.iter().chain(&asked));
            liveness.operands.push(found);
        }
        for operand in (0..self.body.awaits.len()).map(|id| self.body.operand(AwaitId(id))) {
            for (local, reason) in hidden(self.body, &liveness.in_place, operand) {
                doubts.note(reason, &self.body.locals[local.0].ident);
            }
        }
    }

    fn operand(&mut self, id: AwaitId, liveness: &Liveness, doubts: &mut Doubts) -> Operand {
        let mut operand = Operand::default();
        let points = self.points.operand[id.0].clone();
        if points.is_empty() {
            return operand;
        }
        for at in points {
            let Some((local, used)) = self.points.used(at) else {
                continue;
            };
            let is_lent = match used {
                _ if self.points.direct.contains(&at) => self.lives_behind(id, local, liveness),
                // A method may borrow a number, too: `n.go()` with `&self`.
                Use::Receiver if self.body.has_type(local, lends_itself) => {
                    self.lives_behind(id, local, liveness)
                }
                _ if self.body.has_type(local, is_copy) && used != Use::Mutable => false,
                Use::Value | Use::Scrutinee => {
                    let is_typed = self.body.has_type(local, |_| true);
                    let is_lent = !is_typed && operand.lends.contains(&local);
                    self.is_reborrowed(id, (at, local), is_lent, doubts)
                }
                Use::Part | Use::Copied => false,
                _ => self.lives_behind(id, local, liveness),
            };
            let is_matched = matches!(used, Use::Scrutinee | Use::PartScrutinee);
            if is_matched && !self.body.is_plain(local) && self.is_used_behind(id, local) {
                doubts.note(Reason::PartialMove, &self.body.locals[local.0].ident);
            }
            let named = match is_lent {
                true => &mut operand.lends,
                false => &mut operand.takes,
            };
            if !named.contains(&local) {
                named.push(local);
            }
        }
        // What is lent is lent to a closure, which moves all else that it names.
        if !operand.lends.is_empty() {
            let takes = operand.takes.iter();
            let copied = takes.filter(|local| self.copies_from(id, **local));
            operand.lends.extend(copied);
        }
        operand.takes.retain(|local| !operand.lends.contains(local));
        check_form(self.body, self.body.operand(id), &operand, doubts);
        if let Some(local) = self.origins.borrowing_closure(id) {
            doubts.note(Reason::StoredClosure, &self.body.locals[local.0].ident);
        }
        operand
    }

    /// Whether a local lives where an await ends.
    fn lives_behind(&self, id: AwaitId, local: LocalId, liveness: &Liveness) -> bool {
        let mut waits = self.cfg.waits();
        waits.any(|(waits, resume)| waits == id && liveness.need(resume, local).is_some())
    }

    /// Whether an operand copies an element of a local that is used later.
    fn copies_from(&self, id: AwaitId, local: LocalId) -> bool {
        let mut points = self.points.operand[id.0].clone();
        let copies = points.any(|at| self.points.used(at) == Some((local, Use::Copied)));
        copies && !self.body.is_plain(local) && self.is_used_behind(id, local)
    }

    fn is_used_behind(&self, id: AwaitId, local: LocalId) -> bool {
        self.later[self.points.operand[id.0].end - 1][local.0]
    }

    /// Whether an operand that names a local by value borrows it: it is a reference, and is used later. If it was lent within the
    /// same operand, that may be the later use; then it may be moved.
    fn is_reborrowed(
        &mut self,
        id: AwaitId,
        (at, local): (usize, LocalId),
        is_lent: bool,
        doubts: &mut Doubts,
    ) -> bool {
        if !self.is_used_behind(id, local) {
            return false;
        }
        let is_reference = self.body.has_type(local, is_reference);
        let is_copied =
            self.body.is_plain(local) || !is_lent && !self.origins.may_be_exclusive(local);
        if !is_reference && !is_copied && (is_lent || !self.assume_stays(at)) {
            doubts.note(Reason::CopiedOrBorrowed, &self.body.locals[local.0].ident);
        }
        is_reference
    }

    /// Doubts what an operand that lends locals takes behind a call within it. It is written in a closure,
    /// which has taken `page` already. If `next` panics, the closure drops `page` before the other locals; the compiler
    /// drops it in its turn.
    ///
    /// ```text
    /// send(&mut conn, page, next())
    /// ```
    fn check_late(&self, id: AwaitId, operand: &Operand, doubts: &mut Doubts) {
        let asked = operand.asks.map(|(local, _)| local);
        let takes = operand.takes.iter().copied().chain(asked);
        let dropped: Vec<_> = takes.filter(|it| !self.body.is_plain(*it)).collect();
        if !operand.lends.is_empty()
            && let Some(local) = taken_late(self.body, self.body.operand(id), &dropped)
        {
            doubts.note(Reason::TakenLate, &self.body.locals[local.0].ident);
        }
    }
}
