//! The control flow graph.

use syn::visit::{self, Visit};
use syn::{Expr, ExprAsync, ExprBreak, ExprClosure, ExprReturn, ExprTry, Macro, Pat};

use crate::hir::{AwaitId, ExprId, Let, LocalId, jump_of};
use crate::syntax::Arguments;

/// A basic block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct BlockId(pub(crate) usize);

/// The control flow graph of a function.
#[derive(Debug)]
pub(crate) struct Cfg {
    /// In source order, as they begin. The first one is the start.
    pub(crate) blocks: Vec<Block>,
    /// The targets of jumps in leaf expressions, by their numbers.
    pub(crate) jumps: Vec<Jump>,
    /// The exits of each expression. They include those in the arguments of known macros.
    pub(crate) expr_exits: Vec<ExprExits>,
}

impl Cfg {
    /// The awaits, each with the block after it.
    pub(crate) fn suspensions(&self) -> impl Iterator<Item = (AwaitId, BlockId)> {
        self.blocks.iter().filter_map(|block| match block.end {
            End::Suspend { id, resume, .. } => Some((id, resume)),
            _ => None,
        })
    }

    /// The blocks that can follow a block within a poll.
    pub(crate) fn exits(&self, block: BlockId) -> impl Iterator<Item = BlockId> {
        let block = &self.blocks[block.0];
        let exprs = block.all_exprs().into_iter();
        let jumps = exprs.flat_map(|expr| self.jumps_of(expr));
        let straight = match block.end {
            End::Goto(to) => Some(to),
            _ => None,
        };
        let branches = block.branches().iter();
        let ends = straight
            .into_iter()
            .chain(branches.filter_map(|branch| branch.to));
        jumps.chain(ends)
    }

    /// The blocks to which the jumps of an expression lead.
    pub(crate) fn jumps_of(&self, expr: ExprId) -> impl Iterator<Item = BlockId> {
        let jumps = self.expr_exits[expr.0].jumps.iter();
        jumps.map(|number| self.jumps[*number].to)
    }

    /// The await before a block.
    pub(crate) fn awaited_before(&self, block: BlockId) -> Option<AwaitId> {
        let mut suspensions = self.suspensions();
        suspensions.find_map(|(id, resume)| (resume == block).then_some(id))
    }
}

/// A sequence of steps.
#[derive(Debug, Default)]
pub(crate) struct Block {
    /// The locals in scope where it begins, in the order of their declarations. A local that is not
    /// live where the next block begins is dropped on the way there, the last one first.
    pub(crate) in_scope: Vec<LocalId>,
    pub(crate) steps: Vec<Step>,
    pub(crate) end: End,
}

impl Block {
    /// The branches at its end.
    pub(crate) fn branches(&self) -> &[Branch] {
        match &self.end {
            End::Branches { branches, .. } => branches,
            _ => &[],
        }
    }

    /// The expressions of the block, without the awaited one.
    pub(crate) fn exprs(&self) -> Vec<ExprId> {
        let mut exprs: Vec<_> = self.steps.iter().flat_map(Step::exprs).collect();
        match &self.end {
            End::Branches { on, .. } => exprs.push(*on),
            End::Return(value) => exprs.extend(value),
            End::Goto(_) | End::Suspend { .. } | End::Never => {}
        }
        let branches = self.branches().iter();
        exprs.extend(branches.flat_map(Branch::exprs));
        exprs
    }

    /// The expressions of the block, with the awaited one.
    pub(crate) fn all_exprs(&self) -> Vec<ExprId> {
        let mut exprs = self.exprs();
        if let End::Suspend { operand, .. } = self.end {
            exprs.push(operand);
        }
        exprs
    }

    /// Replaces the numbers of the blocks that follow.
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

    /// All steps, with those of the branches.
    pub(crate) fn all_steps(&self) -> impl Iterator<Item = &Step> {
        let branches = self.branches().iter();
        self.steps
            .iter()
            .chain(branches.flat_map(|branch| &branch.steps))
    }
}

/// A step of a block.
#[derive(Debug)]
pub(crate) enum Step {
    Let(Box<Let<ExprId>>),
    /// The value of a construct: `let local = value;`.
    Set {
        local: LocalId,
        value: ExprId,
    },
    /// `value;`
    Eval(ExprId),
    /// The output of the function. Only the last step of a branch.
    Return(Option<ExprId>),
}

impl Step {
    /// The expressions of the step.
    pub(crate) fn exprs(&self) -> impl Iterator<Item = ExprId> {
        let (first, second) = match self {
            Self::Let(node) => (node.value, node.otherwise),
            Self::Set { value, .. } | Self::Eval(value) => (Some(*value), None),
            Self::Return(value) => (*value, None),
        };
        first.into_iter().chain(second)
    }

    /// The locals that the step declares.
    pub(crate) fn declares(&self) -> &[LocalId] {
        match self {
            Self::Let(node) => &node.binds,
            Self::Set { local, .. } => std::slice::from_ref(local),
            Self::Eval(_) | Self::Return(_) => &[],
        }
    }
}

/// The end of a block.
#[derive(Debug, Default)]
pub(crate) enum End {
    Goto(BlockId),
    /// A `match`, or an `if`. The condition of an `if` may contain `let`.
    Branches {
        on: ExprId,
        branches: Vec<Branch>,
    },
    /// An await. `resume` begins with the output in its local, which its `in_scope` does not
    /// contain.
    Suspend {
        id: AwaitId,
        operand: ExprId,
        resume: BlockId,
    },
    /// The output of the function.
    Return(Option<ExprId>),
    /// The end is unreachable.
    #[default]
    Never,
}

/// A branch of an `if` or an arm of a `match`.
#[derive(Debug, Default)]
pub(crate) struct Branch {
    /// The pattern of an arm.
    pub(crate) pat: Option<Pat>,
    /// The guard of an arm.
    pub(crate) guard: Option<ExprId>,
    /// The locals that the pattern or the condition binds.
    pub(crate) binds: Vec<LocalId>,
    /// The steps of the branch: all of them, if none awaits.
    pub(crate) steps: Vec<Step>,
    /// The next block, unless the branch returns.
    pub(crate) to: Option<BlockId>,
}

impl Branch {
    /// The expressions of the branch.
    pub(crate) fn exprs(&self) -> impl Iterator<Item = ExprId> {
        let steps = self.steps.iter().flat_map(Step::exprs);
        self.guard.into_iter().chain(steps)
    }
}

/// A `break` or `continue` of a lowered loop, in a leaf expression. The expression contains it as
/// `break 'volt_jump_3` or `break 'volt_jump_3 value`.
#[derive(Debug)]
pub(crate) struct Jump {
    pub(crate) to: BlockId,
    /// The local that receives the value.
    pub(crate) value: Option<LocalId>,
}

/// The exits of an expression.
#[derive(Debug, Default)]
pub(crate) struct ExprExits {
    pub(crate) returns: bool,
    /// The numbers of its jumps.
    pub(crate) jumps: Vec<usize>,
}

impl ExprExits {
    pub(crate) fn of(expr: &Expr) -> Self {
        let mut leaves = Self::default();
        leaves.visit_expr(expr);
        leaves
    }
}

impl<'ast> Visit<'ast> for ExprExits {
    fn visit_expr_return(&mut self, node: &'ast ExprReturn) {
        self.returns = true;
        visit::visit_expr_return(self, node);
    }

    fn visit_expr_try(&mut self, node: &'ast ExprTry) {
        self.returns = true;
        visit::visit_expr_try(self, node);
    }

    fn visit_expr_break(&mut self, node: &'ast ExprBreak) {
        self.jumps.extend(jump_of(node));
        visit::visit_expr_break(self, node);
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        if let Some(arguments) = Arguments::of(mac) {
            arguments
                .exprs
                .iter()
                .for_each(|argument| self.visit_expr(argument));
        }
    }

    fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}

    fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}
}
