//! The graph's types.

use syn::{Pat, Type};

use crate::hir::{AwaitId, ExprId, LocalId};

/// A basic block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct BlockId(pub(crate) usize);

/// The control flow of a function, as far as awaits take it apart.
#[derive(Debug)]
pub(crate) struct Cfg {
    /// In source order, as they begin; the first is the start.
    pub(crate) blocks: Vec<Block>,
    /// Jumps in expressions that stay whole: where each leads, by its number.
    pub(crate) jumps: Vec<Jump>,
}

impl Cfg {
    /// The awaits, each with the block behind it.
    pub(crate) fn waits(&self) -> impl Iterator<Item = (AwaitId, BlockId)> {
        self.blocks.iter().filter_map(|block| match block.end {
            End::Suspend { id, resume } => Some((id, resume)),
            _ => None,
        })
    }

    /// The await that a block stands behind.
    pub(crate) fn awaited_before(&self, block: BlockId) -> Option<AwaitId> {
        let mut waits = self.waits();
        waits.find_map(|(id, resume)| (resume == block).then_some(id))
    }
}

/// Steps that follow each other.
#[derive(Debug, Default)]
pub(crate) struct Block {
    /// What is in scope where it begins, in the order of the declarations. Whatever of it does not
    /// live where the next block begins is dropped on the way there, the last one first.
    pub(crate) in_scope: Vec<LocalId>,
    pub(crate) steps: Vec<Step>,
    pub(crate) end: End,
}

impl Block {
    /// The branches at its end.
    pub(crate) fn branches(&self) -> Vec<&Branch> {
        match &self.end {
            End::If {
                then, otherwise, ..
            } => vec![then, otherwise],
            End::Match { arms, .. } => arms.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Where its end leads within one poll.
    pub(crate) fn next(&self) -> impl Iterator<Item = BlockId> {
        let straight = match &self.end {
            End::Goto(to) => Some(*to),
            _ => None,
        };
        let branches = self.branches().into_iter();
        straight
            .into_iter()
            .chain(branches.filter_map(|branch| branch.to))
    }
}

/// A step of a block.
#[expect(
    clippy::large_enum_variant,
    reason = "there are few, and for as long as one function is expanded"
)]
#[derive(Debug)]
pub(crate) enum Step {
    /// `let pat: ty = value else { otherwise };`
    Let {
        pat: Pat,
        ty: Option<Type>,
        value: Option<ExprId>,
        otherwise: Option<ExprId>,
        binds: Vec<LocalId>,
    },
    /// The value of a construct: `let local = value;`.
    Set { local: LocalId, value: ExprId },
    /// `value;`
    Eval(ExprId),
    /// The function's value. Only in a branch, as the last step.
    Return(Option<ExprId>),
}

impl Step {
    /// Its expressions.
    pub(crate) fn exprs(&self) -> impl Iterator<Item = ExprId> {
        let (first, second) = match self {
            Self::Let {
                value, otherwise, ..
            } => (*value, *otherwise),
            Self::Set { value, .. } | Self::Eval(value) => (Some(*value), None),
            Self::Return(value) => (*value, None),
        };
        first.into_iter().chain(second)
    }
}

/// How a block ends.
#[expect(
    clippy::large_enum_variant,
    reason = "there are few, and for as long as one function is expanded"
)]
#[derive(Debug, Default)]
pub(crate) enum End {
    Goto(BlockId),
    /// The condition may hold `let`s.
    If {
        condition: ExprId,
        then: Branch,
        otherwise: Branch,
    },
    Match {
        scrutinee: ExprId,
        arms: Vec<Branch>,
    },
    /// Waits; `resume` begins with the output in its local, which is not in its `in_scope`.
    Suspend {
        id: AwaitId,
        resume: BlockId,
    },
    /// The function's value.
    Return(Option<ExprId>),
    /// The end is not reached.
    #[default]
    Never,
}

/// A branch of an `if` or an arm of a `match`.
#[derive(Debug)]
pub(crate) struct Branch {
    /// The pattern of an arm.
    pub(crate) pat: Option<Pat>,
    /// What the pattern, or the condition, binds.
    pub(crate) binds: Vec<LocalId>,
    /// What is done within the branch: all of it, if nothing in it waits.
    pub(crate) steps: Vec<Step>,
    /// Where it goes on, unless it returns.
    pub(crate) to: Option<BlockId>,
}

/// A `break` or `continue` of a loop that was taken apart, in an expression that stays whole.
/// It stands there as the macro call `volt_jump!(number)` or `volt_jump!(number, value)`.
#[derive(Debug)]
pub(crate) struct Jump {
    pub(crate) to: BlockId,
    /// The local that takes the value to its target.
    pub(crate) value: Option<LocalId>,
}
