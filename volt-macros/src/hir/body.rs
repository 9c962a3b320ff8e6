//! The arena of one function: locals, awaits, expressions and scopes, each with a number.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use proc_macro2::TokenStream;
use proc_macro2::{Ident, Span};
use syn::{Expr, Item, Pat, Type};

use super::facts::{MatchedPart, is_plain};
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
    /// A leaf expression, which contains no await and is printed as it is.
    ExprId;
    /// A block that was lowered because it contains an await.
    ScopeId;
    /// A lowered loop, or a lowered block that a jump can leave.
    TargetId;
}

/// The types of the values that a machine stores at awaits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum StoredTypes {
    #[default]
    Any,
    /// With `derive(Serialize, Deserialize)`, the compiler accepts only types that own their
    /// content, outside of steps.
    Owned,
}

/// The body of a function.
#[derive(Debug, Default)]
pub(crate) struct Body {
    /// In the order of their declarations, the arguments first.
    pub(crate) locals: Vec<LocalData>,
    pub(crate) awaits: Vec<AwaitData>,
    pub(crate) exprs: Vec<Expr>,
    pub(crate) scopes: Vec<Scope>,
    /// The items of all blocks, which are hoisted.
    pub(crate) items: Vec<Item>,
    /// The uses that move their local: the expression, and the number of the local's use in it.
    pub(crate) moves: BTreeSet<(ExprId, LocalId, usize)>,
    /// The values of locals in which the name of a method shows what the value borrows.
    pub(crate) trusted_methods: BTreeSet<ExprId>,
    /// The locals by their names.
    pub(crate) names: BTreeMap<String, LocalId>,
    /// Names of macros that are assumed to be those of the standard library.
    pub(crate) trusted_macros: Vec<Ident>,
    /// The block of the function.
    pub(crate) root: ScopeId,
    pub(crate) stored_types: StoredTypes,
    /// `true` if the output, or an argument, may contain a borrow from an argument with a named
    /// lifetime.
    pub(crate) may_return_borrow: bool,
    /// Scrutinees and conditions of branches that await, each with the parts that patterns may
    /// leave. The compiler has to confirm that nothing with a destructor is left.
    pub(crate) plain: BTreeMap<ExprId, Vec<MatchedPart>>,
    /// Expressions with temporaries that are receivers. The compiler has to confirm that methods
    /// move them.
    pub(crate) moved_receivers: BTreeSet<ExprId>,
    /// Locals that are bound before the temporaries of later arguments of a call.
    pub(crate) bound_arguments: BTreeSet<ExprId>,
    /// The matched value of a construct that ends a block with locals, if its patterns leave
    /// nothing with a destructor.
    pub(crate) claimed_ending: Option<TokenStream>,
    /// A name with a capital in a pattern, which the machine reads as that of a constant. The
    /// compiler cannot confirm that.
    pub(crate) assumed_constant: Option<Ident>,
    /// Tails of blocks whose temporaries are dropped before the locals of the block. The compiler
    /// has to confirm the edition, 2024.
    pub(crate) tails: Vec<Tail>,
    /// Names in patterns. The compiler has to confirm that no item of another crate has one.
    pub(crate) foreign_names: Vec<Ident>,
    /// Locals that the compiler suggests in the place of an unknown name.
    pub(crate) similar_names: Vec<Ident>,
    /// The names that the patterns of arguments bind.
    pub(crate) parameters: BTreeSet<LocalId>,
    /// Jumps of leaf expressions to a lowered loop or block, each by its number.
    pub(crate) jumps: Vec<LeafJump>,
    /// The `else` blocks of `let` that await, by the expressions that jump to them.
    pub(crate) else_blocks: BTreeMap<ExprId, ElseBlock>,
    /// The uses of locals in the expressions that were searched.
    pub(super) found_uses: RefCell<Vec<Option<Rc<[LocalId]>>>>,
}

impl Body {
    /// Adds an expression.
    pub(crate) fn add(&mut self, expr: Expr) -> ExprId {
        self.exprs.push(expr);
        ExprId(self.exprs.len() - 1)
    }

    /// Returns `true` if a `break` leaves the loop or block.
    pub(crate) fn has_break(&self, id: TargetId) -> bool {
        let mut jumps = self.jumps.iter();
        jumps.any(|jump| jump.target == id && !jump.is_continue)
    }

    /// The awaited expression of an await.
    pub(crate) fn operand(&self, id: AwaitId) -> &Expr {
        &self.exprs[self.awaits[id.0].operand.0]
    }

    /// Returns `true` if the type of a local is written, and satisfies a predicate.
    pub(crate) fn has_type(&self, local: LocalId, is_such: impl Fn(&Type) -> bool) -> bool {
        self.locals[local.0].ty.as_ref().is_some_and(is_such)
    }

    /// Returns `true` if an expression is a call.
    pub(crate) fn is_call(&self, id: ExprId) -> bool {
        matches!(self.exprs[id.0], Expr::Call(_) | Expr::MethodCall(_))
    }

    /// Returns `true` if a written type shows that a local has no destructor.
    pub(crate) fn is_plain(&self, local: LocalId) -> bool {
        self.has_type(local, is_plain)
    }

    /// The local that an expression names.
    pub(crate) fn local_of(&self, expr: &Expr) -> Option<LocalId> {
        let Expr::Path(node) = expr else { return None };
        let name = node.path.get_ident()?.to_string();
        self.names.get(&name).copied()
    }

    /// The locals that occur in an expression.
    pub(crate) fn named(&self, expr: ExprId) -> BTreeSet<LocalId> {
        self.uses(expr).iter().copied().collect()
    }

    /// The uses of locals in an expression, in their order. It is called after the last expression
    /// was changed.
    pub(crate) fn uses(&self, expr: ExprId) -> Rc<[LocalId]> {
        let mut found = self.found_uses.borrow_mut();
        if found.len() < self.exprs.len() {
            found.resize(self.exprs.len(), None);
        }
        let uses =
            found[expr.0].get_or_insert_with(|| named_in(&self.exprs[expr.0], &self.names).into());
        Rc::clone(uses)
    }
}

/// A `break` or `continue` of a lowered loop or block. The leaf expression contains it as `break
/// 'volt_jump_3` or `break 'volt_jump_3 value`, with its number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeafJump {
    pub(crate) target: TargetId,
    /// `true` for `continue`.
    pub(crate) is_continue: bool,
}

/// A method call on a local that is not used again, or another use that may move its local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReceiverQuery {
    pub(crate) local: LocalId,
    /// The expression that contains the use, and the number of the local's use in it.
    pub(crate) expr: ExprId,
    pub(crate) number: usize,
}

/// The facts about an await.
#[derive(Debug, Clone)]
pub(crate) struct AwaitData {
    /// The awaited expression.
    pub(crate) operand: ExprId,
    /// The local that stores the output.
    pub(crate) output: LocalId,
    /// The span of the word `await`.
    pub(crate) span: Span,
    /// The name of the await in dumps: the awaited function, or the label.
    pub(crate) title: String,
    /// `true` if the await is in a step, whose state is in no snapshot.
    pub(crate) is_step: bool,
    /// The text that distinguishes the await in snapshots, if it has no label.
    pub(crate) qualifier: Option<String>,
}

/// The `else` block of a `let` that awaits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElseBlock {
    pub(crate) target: TargetId,
    pub(crate) body: ScopeId,
    /// The span of the braces.
    pub(crate) span: Span,
}

/// A lowered block.
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
    /// A diverging block without awaits, or a jump to one of the `else_blocks`.
    pub(crate) otherwise: Option<ExprId>,
    pub(crate) binds: Vec<LocalId>,
}

/// A statement of a lowered block.
#[derive(Debug)]
pub(crate) enum Stmt {
    Let(Box<Let<Value>>),
    /// `value;`: the value is dropped at once.
    Eval(Value),
}

/// The source of a value: a leaf expression, an await, or a construct that contains an await.
#[derive(Debug)]
pub(crate) enum Value {
    Expr(ExprId),
    Await(AwaitId),
    /// A `match`, or an `if`. The condition of an `if` may contain `let`, and its two arms have no
    /// patterns.
    Branches {
        on: ExprId,
        arms: Vec<Arm>,
    },
    /// `loop`; the other loops are rewritten to it.
    Loop {
        id: TargetId,
        body: ScopeId,
    },
    /// Only a jump to its label leaves the block early.
    Block {
        id: TargetId,
        body: ScopeId,
    },
}

/// A tail of a block, with the reason if the edition is older than 2024.
#[derive(Debug)]
pub(crate) struct Tail {
    pub(crate) span: Span,
    pub(crate) reason: FallbackReason,
}

/// An arm of a lowered `match`, or a branch of a lowered `if`.
#[derive(Debug)]
pub(crate) struct Arm {
    pub(crate) pat: Option<Pat>,
    /// The guard of an arm, which contains no await.
    pub(crate) guard: Option<ExprId>,
    /// The locals that the pattern or the condition binds.
    pub(crate) binds: Vec<LocalId>,
    /// `None` for a missing `else`, whose value is `()`.
    pub(crate) body: Option<ScopeId>,
}
