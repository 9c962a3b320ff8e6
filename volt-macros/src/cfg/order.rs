//! What has a number until the blocks stand in the order in which they begin.

use super::graph::{Block, BlockId, End};
use crate::hir::{LocalId, TargetId};

/// A loop or block that is being taken apart, or was.
pub(super) struct Target {
    pub(super) id: TargetId,
    pub(super) head: Option<BlockId>,
    pub(super) after: BlockId,
    pub(super) value: Option<LocalId>,
}

impl Target {
    /// Where a jump leads, and the local that takes a value there.
    pub(super) fn of(&self, is_continue: bool) -> (Option<BlockId>, Option<LocalId>) {
        match is_continue {
            true => (self.head.or(Some(self.after)), None),
            false => (Some(self.after), self.value),
        }
    }
}

impl Block {
    pub(super) fn renumber(&mut self, place: impl Fn(BlockId) -> BlockId) {
        match &mut self.end {
            End::Goto(to) | End::Suspend { resume: to, .. } => *to = place(*to),
            End::Branches { branches, .. } => {
                let branches = branches.iter_mut();
                branches.for_each(|branch| branch.to = branch.to.map(&place));
            }
            End::Return(_) | End::Never => {}
        }
    }
}
