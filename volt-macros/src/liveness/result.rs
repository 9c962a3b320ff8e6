//! The result of the liveness analysis.

use std::collections::{BTreeMap, BTreeSet};

use crate::cfg::{BlockId, Cfg};
use crate::hir::{ExprId, LocalId, MatchedPart, ReceiverQuery};

/// The live locals of each block.
#[derive(Debug, Default)]
pub(crate) struct Liveness {
    /// For each block the locals that are stored where it begins, in the order of their
    /// declarations. For the block after an await, the state stores them besides the future.
    pub(crate) entry: Vec<Vec<Live>>,
    /// For each block the uninitialised locals in scope where it begins that are named later.
    pub(crate) uninitialized: Vec<Vec<LocalId>>,
    /// Locals that an await borrows. They stay in their places from their first `put` on.
    pub(crate) in_place: BTreeSet<LocalId>,
    /// Locals from which other values may borrow. They are stored from their declaration to the end
    /// of their scope, as the compiler does.
    pub(crate) stable: BTreeSet<LocalId>,
    /// For each local that is stored, the locals from which it may borrow.
    pub(crate) sources: BTreeMap<LocalId, Vec<LocalId>>,
    /// For each await, the locals from which the values may borrow that its operand moves.
    pub(crate) operand_sources: Vec<Vec<LocalId>>,
    /// Locals whose written types may hide a lifetime. The compiler checks them.
    pub(crate) trusted_types: Vec<LocalId>,
    /// Values of locals in which a method returns an owned value by its name. The compiler checks
    /// them.
    pub(crate) trusted_methods: BTreeSet<ExprId>,
    /// Claims about uses that may move a part of a local.
    pub(crate) claims: Vec<(ReceiverQuery, Claim)>,
    /// The parts that patterns of claims may leave.
    pub(crate) patterns: Vec<Vec<MatchedPart>>,
    /// Borrowed locals after their last use, each with the other locals that are live there. Its
    /// bytes are free if the types of the others have no lifetime.
    pub(crate) dead_borrows: BTreeMap<(BlockId, LocalId), BTreeSet<LocalId>>,
    /// Locals that no await borrows, and that nevertheless stay in their places.
    pub(crate) used_in_place: BTreeSet<LocalId>,
    /// For each await, the locals that its operand uses.
    pub(crate) operands: Vec<Operand>,
    /// The uses that move their local.
    pub(crate) moves: Moves,
    /// Method calls of which only the compiler knows whether they move their receiver.
    pub(crate) queries: Vec<ReceiverQuery>,
}

impl Liveness {
    /// The reason for which a local is stored where a block begins, if it is.
    pub(super) fn need(&self, block: BlockId, local: LocalId) -> Option<Need> {
        let mut entry = self.entry[block.0].iter();
        entry.find_map(|live| (live.local == local).then_some(live.need))
    }

    /// Returns `true` if a local is live across an await.
    pub(super) fn crosses_await(&self, cfg: &Cfg, local: LocalId) -> bool {
        let mut waits = cfg.suspensions();
        waits.any(|(_, resume)| self.need(resume, local).is_some())
    }
}

/// A claim about a use that may move a part of a local. If the compiler does not confirm it, the
/// machine stores the compiler's coroutine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// The part is copied.
    Copied,
    /// The local is copied.
    Kept,
    /// The local has no destructor. An operand that borrows other locals moves it after a call.
    MovedLate,
    /// The method borrows the part on which it is called.
    Borrowed,
    /// The method borrows the target of the reference on which it is called.
    Reborrowed,
    /// The matched value has no destructor.
    Plain,
    /// The pattern leaves nothing with a destructor of the matched value. The number is that of
    /// its parts in `patterns`.
    Pattern(usize),
    /// The matched local is no mutable reference.
    NotExclusive,
    /// The matched value has no destructor; or its type does not implement `Drop`, and the pattern
    /// moves all of it.
    Whole,
}

impl Claim {
    /// Returns `true` if the claim is about a method call, and not about a place.
    pub(crate) fn is_of_call(self) -> bool {
        matches!(self, Self::Borrowed | Self::Reborrowed)
    }
}

/// The number of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct QueryId(pub(crate) usize);

/// Uses: the expression, the local, and the number of the use in the expression.
pub(crate) type Moves = BTreeSet<(ExprId, LocalId, usize)>;

/// A live local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Live {
    pub(crate) local: LocalId,
    pub(crate) need: Need,
}

/// The longest time for which a local is live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LiveSpan {
    /// To another block, without an await.
    Block,
    /// Across an await.
    Await,
    /// Across an await whose future is in a snapshot. The local is in it too, unless it is only
    /// dropped later and its type has no destructor.
    Snapshot,
}

/// The reason for which a local is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// It is used later.
    Used,
    /// Its scope ends later. It is stored only if it has a destructor.
    Scope,
    /// As `Scope`, unless a method has moved it.
    Unless(QueryId),
}

/// The locals that an awaited operand uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Operand {
    /// Borrowed until the end of the await.
    pub(crate) borrows: Vec<LocalId>,
    /// Moved or copied into the future.
    pub(crate) moves: Vec<LocalId>,
    /// Moved into the future, or borrowed by it: the compiler decides.
    pub(crate) query: Option<(LocalId, QueryId)>,
}
