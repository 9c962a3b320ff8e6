//! Locals that no await borrows, and that are used where they lie all the same.
//!
//! A local that lives on would be taken out of its field by each poll, and put back: a page of bytes is
//! copied twice at each turn. One whose every use is that of a place stays there. What may move a part of
//! it, or reborrows it without saying so, is taken out instead: nothing here is a doubt. So is a reference of which the
//! function may return a part: what is borrowed through one that lies in a field is borrowed for the call alone.

use std::collections::BTreeSet;

use super::borrows::hidden;
use super::decide::LivenessBuilder;
use super::points::Occurrence;
use super::result::Liveness;
use crate::hir::{AwaitId, LocalId, Use, is_copy};

impl LivenessBuilder<'_> {
    /// The locals.
    pub(super) fn used_in_place(&self, liveness: &Liveness) -> BTreeSet<LocalId> {
        let locals = (0..self.body.locals.len()).map(LocalId);
        let found = locals.filter(|local| {
            let others = liveness.in_place.contains(local) || liveness.stable.contains(local);
            let asked = liveness.queries.iter().any(|asked| asked.local == *local);
            let may_be_returned =
                self.body.may_return_borrow && self.borrow_sources.may_be_exclusive(*local);
            !others
                && !asked
                && !may_be_returned
                && !self.body.locals[local.0].is_temp()
                && liveness.crosses_await(self.cfg, *local)
                && (self.is_copied(*local) || !self.points.matched.contains(local))
                && !self.is_hidden(*local)
                && !self.is_in_lending_operand(*local, liveness)
                && self.is_place(*local)
        });
        found.collect()
    }

    /// Whether it is named where nobody sees what is done with it.
    fn is_hidden(&self, local: LocalId) -> bool {
        let mut exprs = self.body.exprs.iter();
        exprs.any(|expr| !hidden(self.body, &BTreeSet::from([local]), expr).is_empty())
    }

    /// Whether an operand names it that is made of lent locals alone.
    fn is_in_lending_operand(&self, local: LocalId, liveness: &Liveness) -> bool {
        let mut awaits = (0..self.body.awaits.len()).map(AwaitId);
        awaits.any(|id| {
            let operand = &liveness.operands[id.0];
            let is_alone = operand.borrows.is_empty() && operand.query.is_none();
            let leaves = self
                .cfg
                .jumps_of(self.body.awaits[id.0].operand)
                .next()
                .is_some();
            (!is_alone || leaves) && self.names_in_operand(id, local)
        })
    }

    /// Whether all that is done with it can be done with a place behind a pointer.
    fn is_place(&self, local: LocalId) -> bool {
        let (mut is_moved, mut is_assigned) = (false, false);
        for (at, used) in &self.points.uses {
            let Some((_, what)) = self.points.used(*at).filter(|(other, _)| *other == local) else {
                continue;
            };
            let is_last = self.is_last(*at, local);
            if !self.is_use_of_place(local, what, is_last, used) {
                return false;
            }
            is_moved |= what == Use::Value && is_last;
            is_assigned |= what == Use::Assigned;
        }
        !is_moved || !is_assigned || self.is_copied(local)
    }

    fn is_use_of_place(&self, local: LocalId, what: Use, is_last: bool, used: &Occurrence) -> bool {
        let is_copied = self.is_copied(local);
        match what {
            Use::Shared | Use::Mutable | Use::Copied | Use::Assigned => true,
            Use::Value | Use::Moved => {
                // One that is used later may be moved all the same, in front of a call that never returns.
                let copies = is_copied || !is_last && self.borrow_sources.is_plain(local);
                copies || is_last && !used.is_nested
            }
            Use::Receiver => is_copied || !is_last,
            Use::Part | Use::PartReceiver | Use::Scrutinee | Use::PartScrutinee => is_copied,
        }
    }

    /// Whether it is a copy where it is named by value, for all that is written.
    fn is_copied(&self, local: LocalId) -> bool {
        self.body.has_type(local, is_copy)
    }
}
