//! Operators that look at the place on their left, rather than take its value.

use syn::BinOp;

/// Whether an operator looks at the place on its left.
pub(super) fn looks(op: &BinOp) -> bool {
    is_comparison(op) || changes(op)
}

/// Whether an operator compares: it looks at both operands.
pub(crate) fn is_comparison(op: &BinOp) -> bool {
    use BinOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_))
}

/// Whether an operator changes the place on its left.
pub(crate) fn changes(op: &BinOp) -> bool {
    use BinOp::{
        AddAssign, BitAndAssign, BitOrAssign, BitXorAssign, DivAssign, MulAssign, RemAssign,
        ShlAssign, ShrAssign, SubAssign,
    };
    matches!(
        op,
        AddAssign(_)
            | SubAssign(_)
            | MulAssign(_)
            | DivAssign(_)
            | RemAssign(_)
            | BitXorAssign(_)
            | BitAndAssign(_)
            | BitOrAssign(_)
            | ShlAssign(_)
            | ShrAssign(_)
    )
}
