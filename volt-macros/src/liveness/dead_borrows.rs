//! Borrowed locals after their last use.
//!
//! ```text
//! let n = page.len();  tick().await;  n      is `n` a number, or does it borrow from `page`?
//! ```
//!
//! The compiler stores a borrowed local until the end of its scope only while a borrow is live.
//! Here it is stored only in blocks where a live type may have a lifetime. Constants decide that by
//! the types.

use std::collections::{BTreeMap, BTreeSet};

use super::dataflow::Presence;
use super::decide::LivenessBuilder;
use super::result::{Live, Liveness, Need};
use crate::cfg::BlockId;
use crate::fallback::{FallbackReason, Fallbacks};
use crate::hir::{LocalId, Use};

impl LivenessBuilder<'_> {
    /// Notes a local that is unused and stored until the end of its scope, if a local from which it
    /// may borrow has no value there. The compiler ends such a borrow earlier, unless a destructor
    /// uses it.
    pub(super) fn check_dead(
        &self,
        local: LocalId,
        borrowed: &[LocalId],
        liveness: &Liveness,
        fallbacks: &mut Fallbacks,
    ) {
        let is_dead = |live: &&Live| live.local == local && live.need != Need::Used;
        let is_gone = |block: usize| {
            let presence = &self.presence[self.points.entry[block]];
            let mut borrowed = borrowed
                .iter()
                .filter(|local| !self.body.locals[local.0].is_argument());
            borrowed.any(|other| presence[other.0].may_be(Presence::ABSENT))
        };
        let mut blocks = liveness.entry.iter().enumerate();
        if blocks.any(|(block, entry)| entry.iter().any(|live| is_dead(&live)) && is_gone(block)) {
            self.note_at(FallbackReason::Borrow, local, fallbacks);
        }
    }

    /// For each block and each local that is stored only because others may borrow from it: the
    /// others.
    pub(super) fn dead_borrows(
        &self,
        liveness: &Liveness,
    ) -> BTreeMap<(BlockId, LocalId), BTreeSet<LocalId>> {
        if self.stable.is_empty() {
            return BTreeMap::new();
        }
        let suspensions = self.cfg.suspensions();
        let known = suspensions.flat_map(|(_, resume)| self.others(resume, liveness));
        let known: BTreeSet<_> = known.collect();
        let mut dead = BTreeMap::new();
        for block in (0..self.cfg.blocks.len()).map(BlockId) {
            let others = self.others(block, liveness);
            for live in &liveness.entry[block.0] {
                let is_borrowed = self.may_borrow(block, live.local);
                let mut others = others.clone();
                others.remove(&live.local);
                if self.is_unnamed(block, live) && !is_borrowed && others.is_subset(&known) {
                    dead.insert((block, live.local), others);
                }
            }
        }
        dead
    }

    /// Returns `true` if a local is stored only because others may borrow from it.
    fn is_unnamed(&self, block: BlockId, live: &Live) -> bool {
        self.stable.contains(&live.local)
            && live.need != Need::Scope
            && !self.named.contains(self.points.entry[block.0], live.local)
    }

    /// Returns `true` if the operand of the await before a block may borrow a local. It does not if
    /// it only copies or moves parts, as `list[0]` does.
    fn may_borrow(&self, block: BlockId, local: LocalId) -> bool {
        let awaited = self.cfg.awaited_before(block).into_iter();
        let points = awaited.flat_map(|id| self.points.operand[id.0].clone());
        let uses = points.filter_map(|at| self.points.used(at));
        let mut uses = uses.filter(|(other, _)| *other == local).peekable();
        let leaves = |used: Use| matches!(used, Use::Part | Use::Copied);
        self.awaited(block).contains(&local)
            && (uses.peek().is_none() || uses.any(|(_, used)| !leaves(used)))
    }

    /// The locals that are live where a block begins, and that may borrow from another local. An
    /// argument cannot. The output of the await before the block borrows from the operand's locals.
    fn others(&self, block: BlockId, liveness: &Liveness) -> BTreeSet<LocalId> {
        let in_scope = &self.cfg.blocks[block.0].in_scope;
        let lives = liveness.entry[block.0].iter().map(|live| live.local);
        let others = lives.chain(self.awaited(block));
        let is_argument = |local: LocalId| self.body.locals[local.0].is_argument();
        others
            .filter(|other| in_scope.contains(other) && !is_argument(*other))
            .collect()
    }

    /// The locals that occur in the operand of the await before a block.
    fn awaited(&self, block: BlockId) -> BTreeSet<LocalId> {
        let awaited = self.cfg.awaited_before(block);
        let named = awaited.map(|id| self.body.named(self.body.awaits[id.0].operand));
        named.unwrap_or_default()
    }
}
