//! A sequence of lowered statements, with the block that contains it.

use crate::hir::body::Stmt;

/// The block around lowered code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    /// The number of blocks around the code, at least 1.
    pub(super) depth: usize,
    pub(super) kind: BlockKind,
}

/// The kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// The body of the function, of a loop or of a branch.
    Body,
    /// A block that is itself an expression, where temporaries of the tail live longer.
    Expression,
}

impl Context {
    /// The context of the function's body.
    pub(super) fn of_function() -> Self {
        Self {
            depth: 1,
            kind: BlockKind::Body,
        }
    }

    /// The context of a block within this one.
    pub(super) fn inner(self, kind: BlockKind) -> Self {
        Self {
            depth: self.depth + 1,
            kind,
        }
    }

    pub(super) fn is_expression(self) -> bool {
        self.kind == BlockKind::Expression
    }
}

/// The naming of receivers in an awaited method chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Receivers {
    /// The sequence ends elsewhere than the temporaries, so receivers get no names.
    Refused,
    Allowed,
    /// Only borrowed arguments get names. Statements drop them, in the code that adds the sequence.
    Arguments,
    /// At least one receiver was named.
    Named,
}

impl Receivers {
    pub(super) fn allowed_if(ends_with_statement: bool) -> Self {
        if ends_with_statement {
            Self::Allowed
        } else {
            Self::Refused
        }
    }
}

/// Lowered statements. The code that adds a statement reads its context here.
#[derive(Debug)]
pub(super) struct Statements {
    pub(super) stmts: Vec<Stmt>,
    pub(super) context: Context,
    pub(super) receivers: Receivers,
}

impl Statements {
    pub(super) fn new(context: Context, receivers: Receivers) -> Self {
        Self {
            stmts: Vec::new(),
            context,
            receivers,
        }
    }

    pub(super) fn push(&mut self, stmt: Stmt) {
        self.stmts.push(stmt);
    }
}
