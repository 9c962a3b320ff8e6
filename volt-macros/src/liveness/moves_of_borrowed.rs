//! Uses of borrowed locals that may move the local or a part of it.
//!
//! A borrowed local is accessed through a pointer, and nothing can be moved from behind a pointer.
//!
//! ```text
//! conn.read(&mut buf).await?;  if done { return Ok(conn.finish()) }  ..     does `finish` move `conn`?
//! ```
//!
//! If the compiler can decide, both variants of the use are written. Otherwise it is a fallback
//! reason.

use super::borrows::hidden;
use super::dataflow::Presence;
use super::decide::LivenessBuilder;
use super::result::Liveness;
use crate::cfg::BlockId;
use crate::fallback::{FallbackReason, Fallbacks};
use crate::hir::{LocalId, StoredTypes, Use, is_mutable_reference, is_reference};

/// A local in its place, the reason for which a place behind a pointer may not suffice, and the
/// point of the use.
type MoveOfBorrowed = (LocalId, FallbackReason, Option<usize>);

impl LivenessBuilder<'_> {
    /// Adds a query for each use that may move a local in its place, and notes the uses without
    /// one.
    pub(super) fn check_moves_of_borrowed(
        &mut self,
        liveness: &Liveness,
        fallbacks: &mut Fallbacks,
    ) {
        for block in (0..self.cfg.blocks.len()).map(BlockId) {
            for (local, reason, at) in self.moves_in(block, liveness) {
                if reason == FallbackReason::PartialMove
                    && at.is_some_and(|at| self.assume_part_stays(at))
                {
                    continue;
                }
                let is_query = reason == FallbackReason::MovedOrUsed && !self.is_generic;
                let may_query = |at: &_| is_query && self.can_query(*at, local);
                match at.filter(may_query) {
                    Some(at) => drop(self.add_query(at)),
                    None => self.note(reason, local, fallbacks),
                }
            }
        }
    }

    /// The uses that may move locals in their places, in a block where they have values.
    fn moves_in(&self, block: BlockId, liveness: &Liveness) -> Vec<MoveOfBorrowed> {
        let exprs = self.cfg.blocks[block.0].exprs().into_iter();
        let exprs = exprs.map(|expr| &self.body.exprs[expr.0]);
        let hidden = exprs.flat_map(|expr| hidden(self.body, self.in_place, expr));
        let is_native = self.body.stored_types == StoredTypes::Any;
        let split = self.in_place.iter().filter(|_| is_native);
        let split = split.filter(|local| self.splits(block, **local));
        let split = split.map(|local| (*local, FallbackReason::LentInParts));
        let without_point = hidden.chain(split);
        let without_point = without_point.map(|(local, reason)| (local, reason, None));
        let points = self.points.of(block).into_iter();
        let used = points.filter_map(|at| self.move_at(at));
        without_point
            .chain(used)
            .filter(|(local, ..)| self.is_held(block, *local, liveness))
            .collect()
    }

    /// Returns the locals whose parts are used while the whole is borrowed. They are stored as
    /// locals from which others may borrow. This may make a machine larger than the compiler's
    /// future, so it is done only if the function cannot be native.
    pub(super) fn split_locals(&self, liveness: &Liveness) -> Vec<LocalId> {
        if self.body.stored_types == StoredTypes::Any {
            return Vec::new();
        }
        let is_split = |local: &LocalId| {
            let mut blocks = (0..self.cfg.blocks.len()).map(BlockId);
            blocks.any(|block| self.splits(block, *local) && self.is_held(block, *local, liveness))
        };
        self.in_place.iter().copied().filter(is_split).collect()
    }

    /// Returns `true` if a local is in its place in some part of a block.
    fn is_held(&self, block: BlockId, local: LocalId, liveness: &Liveness) -> bool {
        self.in_place.contains(&local)
            && (self.stable.contains(&local) || liveness.need(block, local).is_some())
    }

    /// Returns `true` if a block uses a part of a local while another use may overlap. A local in
    /// its place is borrowed as a whole. Of a reference only the reference is stored in the place,
    /// so the borrow of an await's output does not matter. An awaited operand receives references,
    /// whose parts the compiler distinguishes.
    fn splits(&self, block: BlockId, local: LocalId) -> bool {
        let refers = self.body.has_type(local, is_reference);
        let is_part = |at: &usize| self.points.parts.contains_key(at);
        let mut uses = self.points.of(block);
        uses.retain(|at| {
            // The compiler rejects uses that overlap with an output which borrows the whole local.
            let is_output = !self.points.uses.contains_key(at) && (refers || !is_part(at));
            self.points.is_used(*at, local) && !is_output && self.operand_at(*at).is_none()
        });
        // The compiler has checked all uses of one part against each other, as parts.
        let part = |at: &usize| self.points.parts.get(at);
        let is_one = uses.iter().all(|at| part(at) == part(&uses[0]));
        !self.stable.contains(&local) && !is_one && uses.iter().any(is_part)
    }

    /// The move at a point, unless the point is in the operand at the end of the block.
    fn move_at(&self, at: usize) -> Option<MoveOfBorrowed> {
        let (local, used) = self.points.used(at)?;
        if self.operand_at(at).is_some() || !self.in_place.contains(&local) {
            return None;
        }
        // A `&mut` that is returned, or that is assigned from its own target.
        let may_be_returned = || {
            self.may_be_returned(local, used)
                .then_some(FallbackReason::Borrow)
        };
        let reason = self.move_reason(at, local, used).or_else(may_be_returned)?;
        Some((local, reason, Some(at)))
    }

    /// The reason for which a place behind a pointer does not suffice for a use.
    fn move_reason(&self, at: usize, local: LocalId, used: Use) -> Option<FallbackReason> {
        let is_last = self.is_last(at, local);
        // Nothing is moved out of a copied value, or out of a reference.
        let is_copied = self.body.is_plain(local);
        match used {
            // A pattern may mutate the target of a `&mut`, which a guard allows only explicitly.
            Use::Scrutinee | Use::PartScrutinee if !self.stable.contains(&local) => {
                Some(FallbackReason::LentThenMoved)
            }
            Use::Value | Use::Scrutinee if is_last && self.is_unseen(at) => {
                Some(FallbackReason::LentThenMoved)
            }
            Use::Assigned if self.is_refilled(at, local) => Some(FallbackReason::LentThenMoved),
            _ if is_copied => None,
            Use::Receiver if is_last => Some(FallbackReason::MovedOrUsed),
            Use::Part | Use::PartReceiver | Use::PartScrutinee
                if self.points.leaves_part(at, local) =>
            {
                None
            }
            Use::Part | Use::PartReceiver | Use::PartScrutinee => Some(FallbackReason::PartialMove),
            _ => None,
        }
    }

    /// Returns `true` if a use of a `&mut` may return its target, or assign it. A borrow through
    /// the place of a `&mut` lasts only as long as the place is borrowed.
    ///
    /// ```text
    /// self.connect().await?;  Ok(self.socket.as_mut())
    /// write(rest).await;      rest = &mut rest[n..]
    /// ```
    fn may_be_returned(&self, local: LocalId, used: Use) -> bool {
        self.body.has_type(local, is_mutable_reference)
            && (used == Use::Assigned || self.body.may_return_borrow)
    }

    /// Returns `true` if the use at a point cannot be replaced: it is in a closure, or unnamed.
    fn is_unseen(&self, at: usize) -> bool {
        self.points.uses.get(&at).is_none_or(|used| used.is_nested)
    }

    /// Returns `true` if a local is assigned where it may have no value.
    fn is_refilled(&self, at: usize, local: LocalId) -> bool {
        let before = self.presence[at].get(local.0);
        before.is_some_and(|before| *before != Presence::PRESENT)
    }
}
