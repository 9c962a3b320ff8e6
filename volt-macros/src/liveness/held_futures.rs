//! Locals that an await may have polled, and that are stored across another await.
//!
//! ```text
//! let mut write = Box::pin(write(..));
//! race(write.as_mut(), sleep(..)).await;      may poll `write`
//! log(..).await;                              `write` is stored, and not polled
//! write.await;
//! ```
//!
//! If such a local is a future, it is dormant at the second await: no code polls it there. It may
//! still have been granted a lock that the second await waits for. The macro sees no types, so the
//! expansion determines which of these locals are futures.

use std::collections::{BTreeMap, BTreeSet};

use super::result::{Liveness, Need};
use crate::cfg::{BlockId, Cfg, End};
use crate::hir::{AwaitId, Body, LocalId};

/// A local that is borrowed by one await and stored across another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeldFuture {
    /// The await that borrows the local, and may poll it.
    pub(crate) polled_at: AwaitId,
    /// Other locals that are stored, and that may borrow from the local. It can be inspected only
    /// if the types of all of them have no lifetimes.
    pub(crate) borrowers: BTreeSet<LocalId>,
}

/// Locals that one await borrows, each with a later await across which it is stored.
pub(crate) type HeldFutures = BTreeMap<(LocalId, AwaitId), HeldFuture>;

/// Returns the locals that an await borrows, with the later awaits across which they are stored.
pub(crate) fn held_futures(body: &Body, cfg: &Cfg, liveness: &Liveness) -> HeldFutures {
    let walk = HeldWalk {
        body,
        cfg,
        liveness,
    };
    let mut held = HeldFutures::new();
    for (polled_at, resume) in cfg.suspensions() {
        for local in walk.borrowed_by(polled_at) {
            let mut seen = vec![false; cfg.blocks.len()];
            walk.visit(local, resume, &mut seen, &mut |across, borrowers| {
                let found = HeldFuture {
                    polled_at,
                    borrowers,
                };
                held.entry((local, across)).or_insert(found);
            });
        }
    }
    held
}

/// A walk over the blocks that are reached from an await while a local is stored.
struct HeldWalk<'a> {
    body: &'a Body,
    cfg: &'a Cfg,
    liveness: &'a Liveness,
}

impl HeldWalk<'_> {
    /// The locals that the operand of an await borrows.
    fn borrowed_by(&self, id: AwaitId) -> BTreeSet<LocalId> {
        let operand = &self.liveness.operands[id.0];
        let queried = operand.query.map(|(local, _)| local);
        let borrowed = operand.borrows.iter().copied().chain(queried);
        borrowed.chain(self.stable_in(id)).collect()
    }

    /// The locals in the operand of an await that other values may borrow. The analysis of operands
    /// leaves them out.
    fn stable_in(&self, id: AwaitId) -> BTreeSet<LocalId> {
        if self.liveness.stable.is_empty() {
            return BTreeSet::new();
        }
        let named = self.body.named(self.body.awaits[id.0].operand);
        named.intersection(&self.liveness.stable).copied().collect()
    }

    /// Passes the awaits that are reached from a block, that store the local and do not use it.
    fn visit(
        &self,
        local: LocalId,
        block: BlockId,
        seen: &mut [bool],
        found: &mut dyn FnMut(AwaitId, BTreeSet<LocalId>),
    ) {
        if !self.is_stored(local, block) || std::mem::replace(&mut seen[block.0], true) {
            return;
        }
        if let End::Suspend { id, resume, .. } = self.cfg.blocks[block.0].end {
            if self.is_stored(local, resume) && !self.uses(id, local) {
                found(id, self.borrowers(local, resume));
            }
            self.visit(local, resume, seen, found);
        }
        for to in self.cfg.exits(block) {
            self.visit(local, to, seen, found);
        }
    }

    fn is_stored(&self, local: LocalId, block: BlockId) -> bool {
        self.liveness.need(block, local) == Some(Need::Used)
    }

    /// Returns `true` if the operand of an await uses the local, or a value that may borrow from
    /// it.
    fn uses(&self, id: AwaitId, local: LocalId) -> bool {
        self.liveness.operands[id.0].moves.contains(&local)
            || self.liveness.operand_sources[id.0].contains(&local)
            || self.borrowed_by(id).contains(&local)
    }

    /// The stored locals that may borrow from a local.
    fn borrowers(&self, local: LocalId, block: BlockId) -> BTreeSet<LocalId> {
        let stored = self.liveness.entry[block.0].iter().map(|live| live.local);
        let borrows = |other: &LocalId| {
            let sources = self.liveness.sources.get(other);
            sources.is_some_and(|sources| sources.contains(&local))
        };
        stored.filter(borrows).collect()
    }
}
