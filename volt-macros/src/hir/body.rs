//! The arena: locals, awaits, expressions and scopes of one function, each by its number.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Span};
use syn::{Expr, Item, Pat, Type};

use super::facts::is_plain;
use crate::fallback::FallbackReason;
use crate::resolve::{AwaitId, LocalData, LocalId, named_in};

macro_rules! ids {
    ($($(#[$doc:meta])* $id:ident;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) struct $id(pub(crate) usize);
    )* };
}

ids! {
    /// An expression without an await, which is printed whole.
    ExprId;
    /// A block whose statements were taken apart, because an await stands in it.
    ScopeId;
    /// A loop or a block that can be left, of those that were taken apart.
    TargetId;
}

/// A function's body.
#[derive(Debug, Default)]
pub(crate) struct Body {
    /// In the order of their declarations: the arguments first.
    pub(crate) locals: Vec<LocalData>,
    pub(crate) awaits: Vec<AwaitData>,
    pub(crate) exprs: Vec<Expr>,
    pub(crate) scopes: Vec<Scope>,
    /// The items of all blocks, which are hoisted.
    pub(crate) items: Vec<Item>,
    /// The uses that move their local: the expression, and which of the local's uses in it.
    pub(crate) moves: BTreeSet<(ExprId, LocalId, usize)>,
    /// The values of locals in which a method may be known by its name.
    pub(crate) trusted_methods: BTreeSet<ExprId>,
    /// The locals by their names.
    pub(crate) names: BTreeMap<String, LocalId>,
    /// Macros that are taken for the known ones by their names.
    pub(crate) trusted_macros: Vec<Ident>,
    /// The function's own block.
    pub(crate) root: ScopeId,
    /// Whether the output may hold what an argument refers to, or another argument, by a lifetime with a name.
    pub(crate) may_return_borrow: bool,
    /// Scrutinees and conditions of branches that wait: the matched value may have no destructor.
    pub(crate) plain: BTreeMap<ExprId, FallbackReason>,
    /// The names that the patterns of arguments bind.
    pub(crate) parameters: BTreeSet<LocalId>,
    /// The places in `exprs` that leave a loop or block that was taken apart, each by its number.
    pub(crate) jumps: Vec<LeafJump>,
}

impl Body {
    /// Adds an expression.
    pub(crate) fn add(&mut self, expr: Expr) -> ExprId {
        self.exprs.push(expr);
        ExprId(self.exprs.len() - 1)
    }

    /// Whether anything jumps behind a loop.
    pub(crate) fn is_broken(&self, id: TargetId) -> bool {
        let mut jumps = self.jumps.iter();
        jumps.any(|jump| jump.target == id && !jump.is_continue)
    }

    /// What an await waits for.
    pub(crate) fn operand(&self, id: AwaitId) -> &Expr {
        &self.exprs[self.awaits[id.0].operand.0]
    }

    /// Whether the type of a local is written, and is such a one.
    pub(crate) fn has_type(&self, local: LocalId, is_such: impl Fn(&Type) -> bool) -> bool {
        self.locals[local.0].ty.as_ref().is_some_and(is_such)
    }

    /// Whether a local surely has no destructor.
    pub(crate) fn is_plain(&self, local: LocalId) -> bool {
        self.has_type(local, is_plain)
    }

    /// The local that an expression is.
    pub(crate) fn local_of(&self, expr: &Expr) -> Option<LocalId> {
        let Expr::Path(node) = expr else { return None };
        let name = node.path.get_ident()?.to_string();
        self.names.get(&name).copied()
    }

    /// The locals that an expression names.
    pub(crate) fn named(&self, expr: ExprId) -> BTreeSet<LocalId> {
        let named = named_in(&self.exprs[expr.0], &self.names);
        named.into_iter().collect()
    }
}

/// A `break` or `continue`. It stands in an expression as `break 'volt_jump_3`, with its number, or as
/// `break 'volt_jump_3 value`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeafJump {
    pub(crate) target: TargetId,
    /// Whether it goes on with the next turn.
    pub(crate) is_continue: bool,
}

/// A method call on a local that is not used again, or one of the other uses of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReceiverQuery {
    pub(crate) local: LocalId,
    /// The expression in which the call stands, and which of the local's uses in it is asked for.
    pub(crate) expr: ExprId,
    pub(crate) number: usize,
}

/// What is known of an await.
#[derive(Debug, Clone)]
pub(crate) struct AwaitData {
    /// The awaited expression.
    pub(crate) operand: ExprId,
    /// The local that has the output.
    pub(crate) output: LocalId,
    /// Of the word `await`.
    pub(crate) span: Span,
    /// For people: what is awaited, or the label.
    pub(crate) title: String,
}

/// A block that was taken apart.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    pub(crate) stmts: Vec<Stmt>,
    /// The expression at its end.
    pub(crate) value: Option<Value>,
}

/// `let pat: ty = value else { otherwise };`
#[derive(Debug)]
pub(crate) struct Let<V> {
    pub(crate) pat: Pat,
    pub(crate) ty: Option<Type>,
    pub(crate) value: Option<V>,
    /// A block without awaits, which never ends.
    pub(crate) otherwise: Option<ExprId>,
    pub(crate) binds: Vec<LocalId>,
}

/// A statement of a block that was taken apart.
#[derive(Debug)]
pub(crate) enum Stmt {
    Let(Box<Let<Value>>),
    /// `value;`: what it gives is dropped at once.
    Eval(Value),
}

/// What gives a value: an expression without awaits, an await, or a construct that holds one.
#[derive(Debug)]
pub(crate) enum Value {
    Expr(ExprId),
    Await(AwaitId),
    /// A `match`, or an `if`, whose condition may hold `let`s: its two arms have no patterns.
    Branches {
        on: ExprId,
        arms: Vec<Arm>,
    },
    /// `loop`; the others are made from it.
    Loop {
        id: TargetId,
        body: ScopeId,
    },
    /// The block can be left by its label only.
    Block {
        id: TargetId,
        body: ScopeId,
    },
}

/// An arm of a `match` that was taken apart, or a branch of an `if`.
#[derive(Debug)]
pub(crate) struct Arm {
    pub(crate) pat: Option<Pat>,
    /// The guard of an arm, which waits nowhere.
    pub(crate) guard: Option<ExprId>,
    /// What the pattern, or the condition, binds.
    pub(crate) binds: Vec<LocalId>,
    /// An `else` may have none: the value is `()`.
    pub(crate) body: Option<ScopeId>,
}
