//! The ways from block to block, and what is dropped on each.

use super::dataflow::Presence;
use super::decide::Facts;
use super::lives::{Exit, Live, Liveness};
use crate::cfg::{BlockId, End, Step};
use crate::hir::LocalId;

impl Facts<'_> {
    /// The exits of all blocks, with what is dropped at each.
    pub(super) fn exits(&self, liveness: &mut Liveness) {
        for from in 0..self.cfg.blocks.len() {
            let from = BlockId(from);
            let block = &self.cfg.blocks[from.0];
            let mut exits: Vec<(BlockId, Option<usize>, Vec<LocalId>)> = Vec::new();
            match &block.end {
                End::Goto(to) | End::Suspend { resume: to, .. } => {
                    exits.push((*to, None, Vec::new()))
                }
                End::If {
                    then, otherwise, ..
                } => {
                    for (index, branch) in [then, otherwise].into_iter().enumerate() {
                        exits.extend(branch.to.map(|to| (to, Some(index), branch.binds.clone())));
                    }
                }
                End::Match { arms, .. } => {
                    for (index, arm) in arms.iter().enumerate() {
                        exits.extend(arm.to.map(|to| (to, Some(index), arm.binds.clone())));
                    }
                }
                End::Return(_) | End::Never => {}
            }
            for (to, branch, binds) in exits {
                let drops = self.drops(from, to, &binds, &liveness.entry[to.0]);
                liveness.exits.push(Exit {
                    from,
                    to,
                    jump: None,
                    branch,
                    drops,
                });
            }
            for number in self.jumps_in(block) {
                let to = self.cfg.jumps[number].to;
                let drops = self.drops(from, to, &[], &liveness.entry[to.0]);
                liveness.exits.push(Exit {
                    from,
                    to,
                    jump: Some(number),
                    branch: None,
                    drops,
                });
            }
        }
    }

    /// What is in scope at the end of a block, and surely there on the way to another one.
    fn drops(&self, from: BlockId, to: BlockId, binds: &[LocalId], kept: &[Live]) -> Vec<LocalId> {
        let block = &self.cfg.blocks[from.0];
        let at = self.points.entry[to.0];
        let mut scope = block.in_scope.clone();
        scope.extend(self.outputs_of(from));
        for step in &block.steps {
            match step {
                Step::Let { binds, .. } => scope.extend(binds),
                Step::Set { local, .. } => scope.push(*local),
                Step::Eval(_) | Step::Return(_) => {}
            }
        }
        scope.extend(binds);
        let ends: Vec<_> = self.ends_of(from, at);
        scope.retain(|local| !kept.iter().any(|live| live.local == *local));
        scope.retain(|local| !self.body.locals[local.0].is_temp());
        scope.retain(|local| {
            !ends.is_empty()
                && ends
                    .iter()
                    .all(|state| state.get(local.0) == Some(&Presence::HERE))
        });
        scope.reverse();
        scope
    }

    fn outputs_of(&self, block: BlockId) -> Vec<LocalId> {
        let ends = self.cfg.blocks.iter().filter_map(|other| match other.end {
            End::Suspend { id, resume } if resume == block => Some(self.body.awaits[id.0].output),
            _ => None,
        });
        ends.collect()
    }

    /// What has a value where the points of a block lead to another one.
    fn ends_of(&self, from: BlockId, to: usize) -> Vec<Vec<Presence>> {
        let owned = self.points_of(from);
        let leading = owned
            .into_iter()
            .filter(|point| self.points.all[*point].next.contains(&to));
        leading
            .map(|point| self.presence[point].clone())
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

    /// The numbers of the jumps in a block.
    fn jumps_in(&self, block: &crate::cfg::Block) -> Vec<usize> {
        block.jumps(self.body)
    }
}
