//! The ways from block to block, and what is dropped on each.

use super::decide::Facts;
use super::lives::{Exit, Liveness};
use super::presence::Presence;
use crate::cfg::{Block, BlockId, End, Step};
use crate::hir::LocalId;

impl Facts<'_> {
    /// The exits of all blocks, with what is dropped at each.
    pub(super) fn exits(&self, liveness: &mut Liveness) {
        for (from, block) in self.cfg.blocks.iter().enumerate() {
            let from = BlockId(from);
            let ends = ways(block).into_iter();
            let ends = ends.map(|(to, branch, binds)| (to, None, branch, binds));
            let jumps = block.jumps(self.body).into_iter();
            let jumps = jumps.map(|number| {
                let to = self.cfg.jumps[number].to;
                (to, Some(number), None, &[][..])
            });
            for (to, jump, branch, binds) in ends.chain(jumps) {
                let drops = self.drops(from, to, binds, liveness);
                liveness.exits.push(Exit {
                    from,
                    to,
                    jump,
                    branch,
                    drops,
                });
            }
        }
    }

    /// What is in scope at the end of a block, and surely there on the way to another one.
    fn drops(
        &self,
        from: BlockId,
        to: BlockId,
        binds: &[LocalId],
        liveness: &Liveness,
    ) -> Vec<LocalId> {
        let ends = self.ends_of(from, self.points.entry[to.0]);
        let is_here =
            |state: &&[Presence], local: LocalId| state.get(local.0) == Some(&Presence::HERE);
        let mut scope = self.scope_of(from);
        scope.extend(binds);
        scope.retain(|local| {
            liveness.need(to, *local).is_none()
                && !self.body.locals[local.0].is_temp()
                && !ends.is_empty()
                && ends.iter().all(|state| is_here(state, *local))
        });
        scope.reverse();
        scope
    }

    /// What is in scope where the steps of a block have been done.
    fn scope_of(&self, block: BlockId) -> Vec<LocalId> {
        let awaited = self.cfg.awaited_before(block);
        let output = awaited.map(|id| self.body.awaits[id.0].output);
        let block = &self.cfg.blocks[block.0];
        let steps = block.steps.iter().flat_map(|step| match step {
            Step::Let { binds, .. } => &binds[..],
            Step::Set { local, .. } => std::slice::from_ref(local),
            Step::Eval(_) | Step::Return(_) => &[],
        });
        block
            .in_scope
            .iter()
            .chain(&output)
            .chain(steps)
            .copied()
            .collect()
    }

    /// What has a value where the points of a block lead to another one.
    fn ends_of(&self, from: BlockId, to: usize) -> Vec<&[Presence]> {
        let points = self.points_of(from).into_iter();
        let leading = points.filter(|point| self.points.all[*point].next.contains(&to));
        leading
            .map(|point| &self.presence[point][..])
            .filter(|state| !state.is_empty())
            .collect()
    }

    /// The points of a block.
    pub(super) fn points_of(&self, block: BlockId) -> Vec<usize> {
        let mut seen = vec![self.points.entry[block.0]];
        let mut open = seen.clone();
        while let Some(point) = open.pop() {
            for next in &self.points.all[point].next {
                if !self.points.entry.contains(next) && !seen.contains(next) {
                    seen.push(*next);
                    open.push(*next);
                }
            }
        }
        seen
    }
}

/// Where a block leads by its end: to which block, by which branch, and what that binds.
fn ways(block: &Block) -> Vec<(BlockId, Option<usize>, &[LocalId])> {
    if let End::Goto(to) | End::Suspend { resume: to, .. } = block.end {
        return vec![(to, None, &[])];
    }
    let branches = block.branches().into_iter().enumerate();
    let ways =
        branches.filter_map(|(index, branch)| Some((branch.to?, Some(index), &branch.binds[..])));
    ways.collect()
}
