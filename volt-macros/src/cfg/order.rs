//! The graph with its blocks in the order in which they begin.

use super::graph::{Block, BlockId, Cfg, End, Jump};
use crate::hir::{Body, LocalId, TargetId};

/// A loop or block that is being taken apart, or was.
pub(super) struct Target {
    pub(super) id: TargetId,
    pub(super) head: Option<BlockId>,
    pub(super) after: BlockId,
    pub(super) value: Option<LocalId>,
}

impl Target {
    /// Where a jump leads, and the local that takes a value there.
    fn of(&self, is_continue: bool) -> (Option<BlockId>, Option<LocalId>) {
        match is_continue {
            true => (self.head.or(Some(self.after)), None),
            false => (Some(self.after), self.value),
        }
    }
}

/// The graph with its blocks in order, and without those that are not reached.
pub(super) fn finished(
    body: &Body,
    mut blocks: Vec<Block>,
    order: &[BlockId],
    targets: &[Target],
) -> Cfg {
    let place = |block: BlockId| {
        let number = order.iter().position(|other| *other == block);
        BlockId(number.unwrap_or(0))
    };
    let taken = order
        .iter()
        .map(|block| std::mem::take(&mut blocks[block.0]));
    let mut ordered: Vec<Block> = taken.collect();
    ordered.iter_mut().for_each(|block| block.renumber(place));
    let jumps = body.jumps.iter().map(|jump| {
        let target = targets.iter().find(|target| target.id == jump.target);
        let (to, value) = target.map_or((None, None), |target| target.of(jump.is_continue));
        let to = to.map_or(BlockId(0), place);
        Jump { to, value }
    });
    Cfg {
        jumps: jumps.collect(),
        blocks: ordered,
    }
}

impl Block {
    fn renumber(&mut self, place: impl Fn(BlockId) -> BlockId) {
        match &mut self.end {
            End::Goto(to) | End::Suspend { resume: to, .. } => *to = place(*to),
            End::If {
                then, otherwise, ..
            } => {
                then.to = then.to.map(&place);
                otherwise.to = otherwise.to.map(&place);
            }
            End::Match { arms, .. } => {
                arms.iter_mut().for_each(|arm| arm.to = arm.to.map(&place));
            }
            End::Return(_) | End::Never => {}
        }
    }
}
