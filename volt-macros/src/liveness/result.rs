//! What lives where, as later stages read it.

use std::collections::{BTreeMap, BTreeSet};

use crate::cfg::{BlockId, Cfg};
use crate::hir::{ExprId, LocalId, ReceiverQuery};

/// What lives, block by block.
#[derive(Debug, Default)]
pub(crate) struct Liveness {
    /// For each block what is kept where it begins, in the order of the declarations. For the block
    /// behind an await this is what the state keeps besides the future.
    pub(crate) entry: Vec<Vec<Live>>,
    /// For each block what is in scope without a value where it begins, and is named later.
    pub(crate) uninitialized: Vec<Vec<LocalId>>,
    /// Locals that an await borrows: they stay in their place from their first `put` on.
    pub(crate) in_place: BTreeSet<LocalId>,
    /// Those that other values may borrow from: they are stored from their declaration to the end of
    /// their scope, used or not, as the compiler does.
    pub(crate) stable: BTreeSet<LocalId>,
    /// Locals of whose written types the compiler is asked whether they hide a lifetime.
    pub(crate) trusted_types: Vec<LocalId>,
    /// Values of locals in which the compiler confirms what methods are known for by their names.
    pub(crate) trusted_methods: BTreeSet<ExprId>,
    /// Claims about uses that would move a part of a local otherwise.
    pub(crate) claims: Vec<(ReceiverQuery, Claim)>,
    /// Where nobody uses one of these any more, the others that live there: its bytes are free if the
    /// types of all of them are such that they borrow nothing.
    pub(crate) dead_borrows: BTreeMap<(BlockId, LocalId), BTreeSet<LocalId>>,
    /// Locals that nobody borrows across an await and that stay in their places all the same.
    pub(crate) used_in_place: BTreeSet<LocalId>,
    /// For each await, what its operand does with locals.
    pub(crate) operands: Vec<Operand>,
    /// The uses that move their local.
    pub(crate) moves: Moves,
    /// What only the compiler knows: whether these methods take the local on which they are called.
    pub(crate) queries: Vec<ReceiverQuery>,
}

impl Liveness {
    /// Why a local is kept where a block begins, if it is.
    pub(super) fn need(&self, block: BlockId, local: LocalId) -> Option<Need> {
        let mut entry = self.entry[block.0].iter();
        entry.find_map(|live| (live.local == local).then_some(live.need))
    }

    /// Whether a local lives where the machine waits.
    pub(super) fn crosses_await(&self, cfg: &Cfg, local: LocalId) -> bool {
        let mut waits = cfg.waits();
        waits.any(|(_, resume)| self.need(resume, local).is_some())
    }
}

/// A claim about a use that may move a part of a local. The compiler confirms it, or the machine
/// keeps the compiler's
/// coroutine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// The part is copied.
    Copied,
    /// The local is copied.
    Kept,
    /// The method borrows the part on which it is called.
    Borrowed,
    /// The matched value has no destructor.
    Plain,
    /// The matched value has no destructor, or its type has none of its own and the pattern takes
    /// all of it.
    Whole,
}

/// The number of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct QueryId(pub(crate) usize);

/// Uses: the expression, the local, and which of its uses in the expression.
pub(crate) type Moves = BTreeSet<(ExprId, LocalId, usize)>;

/// A local that lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Live {
    pub(crate) local: LocalId,
    pub(crate) need: Need,
}

/// Why a local is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// It is named later.
    Used,
    /// Its scope ends later: nothing is kept of what has no destructor.
    Scope,
    /// The same, if a method did not take it.
    Unless(QueryId),
}

/// What an awaited operand does with locals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Operand {
    /// Borrowed for the time of the await.
    pub(crate) borrows: Vec<LocalId>,
    /// Moved or copied into the future.
    pub(crate) moves: Vec<LocalId>,
    /// Moved into the future or borrowed by it: the compiler knows.
    pub(crate) query: Option<(LocalId, QueryId)>,
}
