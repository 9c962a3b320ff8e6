//! Uses of what awaits borrow that may move it or a part of it.
//!
//! What lies in its place is named through a pointer, and nothing is moved from behind a pointer.
//!
//! ```text
//! conn.read(&mut buf).await?;  if done { return Ok(conn.finish()) }  ..     does `finish` take `conn`?
//! ```
//!
//! Where the compiler can be asked, it is: both variants of the use are written. Otherwise there is a doubt.

use super::borrows::hidden;
use super::dataflow::Presence;
use super::decide::LivenessBuilder;
use super::result::Liveness;
use crate::cfg::BlockId;
use crate::fallback::{FallbackReason, Fallbacks};
use crate::hir::{LocalId, Use, is_mutable_reference, is_reference};

/// A local that lies in its place, why a place behind a pointer may not do for a use of it, and the point of the use.
type MoveOfBorrowed = (LocalId, FallbackReason, Option<usize>);

impl LivenessBuilder<'_> {
    /// Decides where the compiler is asked whether a local in its place is taken, and doubts the other uses.
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
                let is_asked = reason == FallbackReason::MovedOrUsed && !self.is_generic;
                let may_ask = |at: &_| is_asked && self.can_query(*at, local);
                match at.filter(may_ask) {
                    Some(at) => drop(self.add_query(at)),
                    None => self.note(reason, local, fallbacks),
                }
            }
        }
    }

    /// The uses of locals in their places that may move them, in a block that finds them there.
    fn moves_in(&self, block: BlockId, liveness: &Liveness) -> Vec<MoveOfBorrowed> {
        let exprs = self.cfg.blocks[block.0].exprs().into_iter();
        let exprs = exprs.map(|expr| &self.body.exprs[expr.0]);
        let hidden = exprs.flat_map(|expr| hidden(self.body, self.in_place, expr));
        let split = self.in_place.iter();
        let split = split.filter(|local| self.splits(block, **local));
        let split = split.map(|local| (*local, FallbackReason::LentInParts));
        let whole = hidden.chain(split);
        let whole = whole.map(|(local, reason)| (local, reason, None));
        let points = self.points.of(block).into_iter();
        let used = points.filter_map(|at| self.move_at(at));
        whole
            .chain(used)
            .filter(|(local, ..)| self.is_held(block, *local, liveness))
            .collect()
    }

    /// Whether a local lies in its place within a block, for all or some of it.
    fn is_held(&self, block: BlockId, local: LocalId, liveness: &Liveness) -> bool {
        self.in_place.contains(&local)
            && (self.stable.contains(&local) || liveness.need(block, local).is_some())
    }

    /// Whether a block uses a part of a local, and does something else with it: what lies in its place is borrowed as a
    /// whole. Of a reference only the reference lies there, so what an await's output borrows stays as it is. An awaited
    /// operand is given references, of which the compiler tells the parts apart.
    fn splits(&self, block: BlockId, local: LocalId) -> bool {
        let refers = self.body.has_type(local, is_reference);
        let is_part = |at: &usize| self.points.parts.contains_key(at);
        let mut uses = self.points.of(block);
        uses.retain(|at| {
            // The compiler has refused what overlaps with an output that borrows all of the local.
            let is_output = !self.points.uses.contains_key(at) && (refers || !is_part(at));
            self.points.is_used(*at, local) && !is_output && self.operand_at(*at).is_none()
        });
        !self.stable.contains(&local) && uses.len() > 1 && uses.iter().any(is_part)
    }

    /// What the use at a point may take, if that is not the operand at the block's end.
    fn move_at(&self, at: usize) -> Option<MoveOfBorrowed> {
        let (local, used) = self.points.used(at)?;
        if self.operand_at(at).is_some() || !self.in_place.contains(&local) {
            return None;
        }
        // A `&mut` that is given back, or gets what it refers to itself.
        let may_be_returned = || {
            self.may_be_returned(local, used)
                .then_some(FallbackReason::Borrow)
        };
        let reason = self.move_reason(at, local, used).or_else(may_be_returned)?;
        Some((local, reason, Some(at)))
    }

    /// Why a place behind a pointer may not do for a use.
    fn move_reason(&self, at: usize, local: LocalId, used: Use) -> Option<FallbackReason> {
        let is_last = self.is_last(at, local);
        // Nothing is moved out of what is copied, or lies behind a reference.
        let is_copied = self.body.is_plain(local);
        match used {
            // What a `&mut` refers to may be taken apart by a pattern that changes it, which no guard gives without a word.
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

    /// Whether a use of a local may give back what it refers to, or gets it back. What is borrowed through the place in
    /// which a `&mut` lies lives as long as that place is looked at.
    ///
    /// ```text
    /// self.connect().await?;  Ok(self.socket.as_mut())
    /// write(rest).await;      rest = &mut rest[n..]
    /// ```
    fn may_be_returned(&self, local: LocalId, used: Use) -> bool {
        self.body.has_type(local, is_mutable_reference)
            && (used == Use::Assigned || self.body.may_return_borrow)
    }

    /// Whether the use at a point is not to be replaced: it stands in a closure, or has no name.
    fn is_unseen(&self, at: usize) -> bool {
        self.points.uses.get(&at).is_none_or(|used| used.is_nested)
    }

    /// Whether a local is assigned where it may have no value: what was held is gone.
    fn is_refilled(&self, at: usize, local: LocalId) -> bool {
        let before = self.presence[at].get(local.0);
        before.is_some_and(|before| *before != Presence::PRESENT)
    }
}
