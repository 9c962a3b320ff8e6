//! Locals that no await borrows, and that are nevertheless used in their fields.
//!
//! Otherwise each poll moves a live local from its field to the stack and back: a page of bytes is
//! copied twice in each iteration. A local stays in its field if it is used only as a place. It is
//! moved to the stack if a use may move a part of it, or reborrow it implicitly. So is a reference
//! of which the function may return a part, because a borrow through a field ends with the poll.
//! None of this is a fallback reason.

use std::collections::BTreeSet;

use super::borrows::hidden;
use super::decide::LivenessBuilder;
use super::points::Occurrence;
use super::result::Liveness;
use crate::hir::{AwaitId, LocalId, Use, is_copy};

impl LivenessBuilder<'_> {
    /// Returns these locals.
    pub(super) fn used_in_place(&self, liveness: &Liveness) -> BTreeSet<LocalId> {
        let locals = (0..self.body.locals.len()).map(LocalId);
        let all: BTreeSet<_> = locals.clone().collect();
        let exprs = self.body.exprs.iter();
        let hidden_uses = exprs.flat_map(|expr| hidden(self.body, &all, expr));
        // The locals that occur in code that the macro does not analyse.
        let hidden_uses: BTreeSet<_> = hidden_uses.map(|(local, _)| local).collect();
        let found = locals.filter(|local| {
            let others = liveness.in_place.contains(local) || liveness.stable.contains(local);
            let queried = liveness
                .queries
                .iter()
                .any(|queried| queried.local == *local);
            let may_be_returned =
                self.body.may_return_borrow && self.borrow_sources.may_be_exclusive(*local);
            !others
                && !queried
                && !may_be_returned
                && !self.body.locals[local.0].is_temp()
                && liveness.crosses_await(self.cfg, *local)
                && (self.is_copied(*local) || !self.points.matched.contains(local))
                && !hidden_uses.contains(local)
                && !self.is_in_borrowing_operand(*local, liveness)
                && self.is_place(*local)
        });
        found.collect()
    }

    /// Returns `true` if an operand that consists of borrowed locals names the local.
    fn is_in_borrowing_operand(&self, local: LocalId, liveness: &Liveness) -> bool {
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

    /// Returns `true` if each use of the local can be a use of a place behind a pointer.
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
                // A local that is used later may still be moved before a call that never returns.
                let copies = is_copied || !is_last && self.borrow_sources.is_plain(local);
                copies || is_last && !used.is_nested
            }
            Use::Receiver => is_copied || !is_last,
            Use::Part | Use::PartReceiver | Use::Scrutinee | Use::PartScrutinee => is_copied,
        }
    }

    /// Returns `true` if the written type of the local is `Copy`.
    fn is_copied(&self, local: LocalId) -> bool {
        self.body.has_type(local, is_copy)
    }
}
