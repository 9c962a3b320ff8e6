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

/// The graph with its blocks in order, and without those that are not reached.
pub(super) fn finished(
    body: &Body,
    blocks: Vec<Block>,
    order: &[BlockId],
    targets: &[Target],
) -> Cfg {
    let mut number = vec![None; blocks.len()];
    for (index, block) in order.iter().enumerate() {
        number[block.0] = Some(BlockId(index));
    }
    let place = |block: BlockId| number[block.0].unwrap_or(BlockId(0));
    let mut blocks: Vec<_> = blocks.into_iter().map(Some).collect();
    let mut ordered: Vec<Block> = order
        .iter()
        .filter_map(|block| blocks[block.0].take())
        .collect();
    ordered.iter_mut().for_each(|block| block.renumber(place));
    let jumps = body.jumps.iter().map(|jump| {
        let target = targets.iter().find(|target| target.id == jump.target);
        let to = target.map(|target| match jump.is_continue {
            true => target.head.unwrap_or(target.after),
            false => target.after,
        });
        let value = target
            .and_then(|target| target.value)
            .filter(|_| !jump.is_continue);
        Jump {
            to: to.map_or(BlockId(0), place),
            value,
        }
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
