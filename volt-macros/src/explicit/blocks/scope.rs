//! The state of the code that is written: the locals in scope, and the exits of the block.

use crate::cfg::BlockId;
use crate::hir::LocalId;

/// The locals in scope at the end of the code that is written.
#[derive(Clone, Default)]
pub(crate) struct BlockScope {
    /// In the order of their declarations.
    locals: Vec<LocalId>,
    /// The locals that are in their places: their names are those of guards.
    in_place: Vec<LocalId>,
}

impl BlockScope {
    pub(crate) fn declare(&mut self, locals: &[LocalId]) {
        self.locals.extend(locals);
    }

    pub(crate) fn contains(&self, local: LocalId) -> bool {
        self.locals.contains(&local)
    }

    pub(crate) fn locals(&self) -> &[LocalId] {
        &self.locals
    }

    /// Records that a local is in its place.
    pub(crate) fn put_in_place(&mut self, local: LocalId) {
        self.in_place.push(local);
    }

    /// Records that a local is not in its place any more.
    pub(crate) fn take_from_place(&mut self, local: LocalId) {
        self.in_place.retain(|other| *other != local);
    }

    pub(crate) fn is_in_place(&self, local: LocalId) -> bool {
        self.in_place.contains(&local)
    }

    pub(crate) fn in_place(&self) -> &[LocalId] {
        &self.in_place
    }
}

/// An exit on whose path a scope ends, and whose label is open.
#[derive(Clone)]
pub(crate) struct Exit {
    pub(crate) to: BlockId,
    /// The locals that are declared within the ending scopes, and are live after them.
    pub(crate) carried: Vec<LocalId>,
}

/// The exits of a block.
#[derive(Clone)]
pub(crate) struct Exits {
    /// The blocks that can follow.
    targets: Vec<BlockId>,
    /// From the outermost label inwards.
    open: Vec<Exit>,
}

impl Exits {
    pub(crate) fn new(targets: Vec<BlockId>) -> Self {
        Self {
            targets,
            open: Vec::new(),
        }
    }

    pub(crate) fn open(&mut self, exit: Exit) {
        self.open.push(exit);
    }

    /// Closes the innermost label.
    pub(crate) fn close(&mut self) -> Option<Exit> {
        self.open.pop()
    }

    /// Returns the open exit to a block.
    pub(crate) fn find(&self, to: BlockId) -> Option<&Exit> {
        self.open.iter().find(|exit| exit.to == to)
    }

    pub(crate) fn is_open(&self, to: BlockId) -> bool {
        self.find(to).is_some()
    }

    /// Returns the blocks that can follow, and whose labels are not open.
    pub(crate) fn closed(&self) -> Vec<BlockId> {
        let mut targets = self.targets.clone();
        targets.retain(|to| !self.is_open(*to));
        targets
    }
}
