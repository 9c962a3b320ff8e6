//! The operands of an expression in the order of their evaluation, each with its use.

use syn::{BinOp, Expr, ExprBreak, ExprReturn, UnOp};

use crate::syntax::Arguments;

/// The use of a place by the expression of which it is an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Use {
    /// Moves or copies the place: `f(x)`. If the local is used later, the use was a copy.
    Value,
    /// Moves the place. Only the printer has this use, after the analysis.
    Moved,
    /// Moves or copies a part: `f(x.part)`, `f(*x)`.
    Part,
    /// Borrows the place: `&x`, `x == y`, `x[0]`, an argument of a formatting macro.
    Shared,
    /// Copies an element: `f(x[0])`.
    Copied,
    /// Mutates the place: `&mut x`, `x += 1`, `x.part = y`.
    Mutable,
    /// Calls a method, which borrows, mutates or moves the place: `x.len()`.
    Receiver,
    /// Calls a method of a part: `x.part.len()`.
    PartReceiver,
    /// Assigns the place.
    Assigned,
    /// Matches on the place: `match x`, `if let .. = x`.
    Scrutinee,
    /// Matches on a part: `match x.part`.
    PartScrutinee,
}

impl Use {
    /// The use of the whole place, if this is the use of a part.
    fn of_part(self) -> Self {
        match self {
            Self::Value | Self::Moved | Self::Part => Self::Part,
            Self::Shared => Self::Shared,
            Self::Copied => Self::Copied,
            Self::Mutable | Self::Assigned => Self::Mutable,
            Self::Receiver | Self::PartReceiver => Self::PartReceiver,
            Self::Scrutinee | Self::PartScrutinee => Self::PartScrutinee,
        }
    }

    /// The use of the whole place, if this is the use of an element.
    fn of_element(self) -> Self {
        match self {
            Self::Mutable | Self::Assigned => Self::Mutable,
            Self::Value | Self::Moved | Self::Part | Self::Copied => Self::Copied,
            // Nothing is moved out of an element.
            Self::Shared
            | Self::Receiver
            | Self::PartReceiver
            | Self::Scrutinee
            | Self::PartScrutinee => Self::Shared,
        }
    }
}

/// Returns `true` if the operator borrows its operands.
pub(crate) fn compares(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_)
    )
}

/// Returns `true` if the operator mutates its left operand.
pub(crate) fn assigns(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

/// Returns `true` if the operator may skip its right operand.
pub(crate) fn is_lazy(op: &BinOp) -> bool {
    matches!(op, BinOp::And(_) | BinOp::Or(_))
}

macro_rules! operands {
    ($(#[$doc:meta])* $name:ident $($mut:tt)?) => {
        $(#[$doc])*
        #[allow(clippy::too_many_lines, reason = "one table")]
        pub(crate) fn $name(expr: & $($mut)? Expr, used: Use) -> Option<Vec<(& $($mut)? Expr, Use)>> {
            use Use::{Assigned, Mutable, Receiver, Shared, Value};
            // In `(a, b) = value` the parts are assigned.
            let part = if used == Assigned { Assigned } else { Value };
            Some(match expr {
                Expr::Array(node) => (& $($mut)? node.elems).into_iter().map(|element| (element, part)).collect(),
                Expr::Tuple(node) => (& $($mut)? node.elems).into_iter().map(|element| (element, part)).collect(),
                Expr::Assign(node) => vec![
                    (& $($mut)? *node.right, Value),
                    (& $($mut)? *node.left, Assigned),
                ],
                Expr::Binary(node) => {
                    let (left, right) = match &node.op {
                        op if compares(op) => (Shared, Shared),
                        op if assigns(op) => (Mutable, Value),
                        _ => (Value, Value),
                    };
                    vec![(& $($mut)? *node.left, left), (& $($mut)? *node.right, right)]
                }
                Expr::Call(node) => {
                    let function = (& $($mut)? *node.func, Receiver);
                    let arguments = (& $($mut)? node.args).into_iter().map(|argument| (argument, part));
                    std::iter::once(function).chain(arguments).collect()
                }
                Expr::MethodCall(node) => {
                    let receiver = (& $($mut)? *node.receiver, Receiver);
                    let arguments = (& $($mut)? node.args).into_iter().map(|argument| (argument, Value));
                    std::iter::once(receiver).chain(arguments).collect()
                }
                Expr::Cast(node) => vec![(& $($mut)? *node.expr, Value)],
                Expr::Field(node) => vec![(& $($mut)? *node.base, used.of_part())],
                Expr::Index(node) => vec![
                    (& $($mut)? *node.expr, used.of_element()),
                    (& $($mut)? *node.index, Value),
                ],
                Expr::Paren(node) => vec![(& $($mut)? *node.expr, used)],
                Expr::Reference(node) => {
                    let used = if node.mutability.is_some() { Mutable } else { Shared };
                    vec![(& $($mut)? *node.expr, used)]
                }
                Expr::Unary(node) => {
                    let used = match node.op {
                        UnOp::Deref(_) => used.of_part(),
                        _ => Value,
                    };
                    vec![(& $($mut)? *node.expr, used)]
                }
                Expr::Repeat(node) => vec![(& $($mut)? *node.expr, Value)],
                Expr::Range(node) => {
                    let (start, end) = (& $($mut)? node.start, & $($mut)? node.end);
                    let both = start.into_iter().chain(end);
                    both.map(|end| (& $($mut)? **end, Value)).collect()
                }
                Expr::Return(ExprReturn { expr, .. }) | Expr::Break(ExprBreak { expr, .. }) => {
                    expr.into_iter().map(|value| (& $($mut)? **value, Value)).collect()
                }
                Expr::Struct(node) => {
                    let (fields, rest) = (& $($mut)? node.fields, & $($mut)? node.rest);
                    let fields = fields.into_iter().map(|field| (& $($mut)? field.expr, part));
                    let rest = rest.into_iter().map(|base| (& $($mut)? **base, Use::Part));
                    fields.chain(rest).collect()
                }
                Expr::Try(node) => vec![(& $($mut)? *node.expr, Value)],
                Expr::Await(node) => vec![(& $($mut)? *node.base, Value)],
                Expr::Lit(_) | Expr::Path(_) | Expr::Continue(_) | Expr::Infer(_) | Expr::Const(_) => {
                    Vec::new()
                }
                _ => return None,
            })
        }
    };
}

operands! {
    /// Returns the operands, if each is evaluated once, and in this order. `used` is the use of the
    /// expression itself. Branches, loops, blocks, closures and macros have no such operands.
    operands
}
operands! {
    /// Returns the operands as `operands` does, as mutable references.
    operands_mut mut
}

/// The arguments of a macro, each with its use.
pub(in crate::hir) fn used_arguments(arguments: &mut Arguments) -> Vec<(&mut Expr, Use)> {
    let uses = (0..arguments.exprs.len()).map(|index| use_of(arguments, index));
    let uses: Vec<_> = uses.collect();
    arguments.values_mut().zip(uses).collect()
}

/// The use of the argument with this index.
pub(crate) fn use_of(arguments: &Arguments, index: usize) -> Use {
    if arguments.takes(index) {
        Use::Value
    } else {
        Use::Shared
    }
}
