//! Locals from which others may borrow, where nobody names them any more.
//!
//! ```text
//! let n = page.len();  tick().await;  n      is `n` a number, or does it borrow from `page`?
//! ```
//!
//! The compiler keeps what was borrowed to the end of its scope, and nothing else. Here it is kept only
//! where something lives whose type may have a lifetime: constants decide, by the types.

use std::collections::{BTreeMap, BTreeSet};

use super::decide::Facts;
use super::lives::{Liveness, Need};
use super::points::Effect;
use crate::cfg::{BlockId, End};
use crate::hir::{LocalId, Use};

impl Facts<'_> {
    /// For each block and each local that is there only because others may borrow from it, the others.
    pub(super) fn unused(
        &self,
        liveness: &Liveness,
    ) -> BTreeMap<(BlockId, LocalId), BTreeSet<LocalId>> {
        let awaited = self.awaited();
        let mut known = BTreeSet::new();
        for (block, named) in &awaited {
            known.extend(self.others(*block, named, liveness));
        }
        let none = BTreeSet::new();
        let mut unused = BTreeMap::new();
        for block in (0..self.cfg.blocks.len()).map(BlockId) {
            let named = awaited.get(&block).unwrap_or(&none);
            let others = self.others(block, named, liveness);
            for live in &liveness.entry[block.0] {
                let is_unused = self.stable.contains(&live.local)
                    && live.need != Need::Scope
                    && !(named.contains(&live.local) && self.may_lend(block, live.local))
                    && !self.is_named_later(block, live.local);
                let others = others.iter().copied();
                let others: BTreeSet<_> = others.filter(|other| *other != live.local).collect();
                if is_unused && others.is_subset(&known) {
                    unused.insert((block, live.local), others);
                }
            }
        }
        unused
    }

    /// Whether the operand of the await that a block stands behind may borrow a local: it does not where it
    /// copies a part, as `list[0]` does, and where it moves one.
    fn may_lend(&self, block: BlockId, local: LocalId) -> bool {
        let mut ends = self.cfg.blocks.iter().map(|block| &block.end);
        let range = ends.find_map(|end| match end {
            End::Suspend { id, resume } if *resume == block => self.points.operand[id.0],
            _ => None,
        });
        let Some((begin, end)) = range else {
            return true;
        };
        let uses = self.points.all[begin..=end].iter();
        let uses = uses.filter_map(|point| match point.effect {
            Effect::Use(other, used) if other == local => Some(used),
            _ => None,
        });
        let uses: Vec<_> = uses.collect();
        uses.is_empty()
            || uses
                .iter()
                .any(|used| !matches!(used, Use::Part | Use::Copied))
    }

    fn is_named_later(&self, block: BlockId, local: LocalId) -> bool {
        let at = self.points.entry[block.0];
        self.named[at].has(local) || self.later[at].has(local)
    }

    /// What lives where a block begins, and may borrow from a local: an argument cannot, and what the
    /// block's await gives has it from what the await was given.
    fn others(
        &self,
        block: BlockId,
        named: &BTreeSet<LocalId>,
        liveness: &Liveness,
    ) -> BTreeSet<LocalId> {
        let in_scope = &self.cfg.blocks[block.0].in_scope;
        let lives = liveness.entry[block.0].iter().map(|live| live.local);
        let others = lives.chain(named.iter().copied());
        let others = others.filter(|other| in_scope.contains(other));
        others
            .filter(|other| !self.body.locals[other.0].is_argument())
            .collect()
    }

    /// What the operand names of the await that a block stands behind.
    fn awaited(&self) -> BTreeMap<BlockId, BTreeSet<LocalId>> {
        let waits = self.cfg.blocks.iter().filter_map(|block| match block.end {
            End::Suspend { id, resume } => {
                let operand = self.body.awaits[id.0].operand;
                Some((resume, self.body.named(operand)))
            }
            _ => None,
        });
        waits.collect()
    }
}
