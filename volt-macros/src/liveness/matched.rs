//! What becomes of a local that patterns are matched on, branch by branch.
//!
//! ```text
//! match held { Ok(d) => .., Err(_) => .. }      gone in the first arm, a part of it is gone in the second
//! let Some(d) = held else { .. };               gone behind, and in the `else` nothing is left of it
//! match way { Way::Left => .., _ => .. }        looked at
//! ```

use syn::{Expr, Pat};

use crate::hir::{LocalId, Shape, Use, leaves_nothing_else};

/// What is done with the matched local.
#[derive(Debug, Default)]
pub(super) struct Matched {
    /// The local and the fields on the way to the part, if what is done with it depends on the branch.
    pub(super) place: Option<(LocalId, String)>,
    /// For each pattern what is done with it there, and at last where none of them matches.
    pub(super) arms: Vec<Use>,
}

impl Matched {
    /// What is done with a place where it is matched, and in each branch. `place` is the local and the
    /// fields on the way, if it is made of these; `has_else` is whether it may match none of the patterns.
    pub(super) fn of(
        place: Option<(LocalId, String)>,
        pats: &[&Pat],
        has_else: bool,
    ) -> (Use, Self) {
        let is_part = place.as_ref().is_none_or(|(_, part)| !part.is_empty());
        let shapes: Vec<_> = pats.iter().map(|pat| Shape::of(pat)).collect();
        let binds = shapes.iter().any(|shape| shape.binds);
        let used = match () {
            () if pats.len() == 1 && matches!(pats[0], Pat::Ident(_)) && binds => Use::Value,
            () if !binds && shapes.iter().any(|shape| shape.borrows) => Use::Mutable,
            () if !binds => Use::Shared,
            () if place.is_none() || is_part && pats.len() == 1 && !has_else => Use::PartScrutinee,
            () if pats.len() == 1 && !has_else => arm(&shapes[0]),
            () if is_part => {
                let arms = shapes.iter().map(|shape| match shape.binds {
                    true => Use::PartScrutinee,
                    false => Use::Shared,
                });
                let arms = arms.chain([Use::Shared]).collect();
                return (Use::Shared, Self { place, arms });
            }
            () => {
                let mut arms: Vec<_> = shapes.iter().map(arm).collect();
                let is_empty = pats.iter().all(|pat| leaves_nothing_else(pat));
                arms.push(if is_empty {
                    Use::Scrutinee
                } else {
                    Use::Shared
                });
                return (Use::Shared, Self { place, arms });
            }
        };
        (used, Self::default())
    }
}

fn arm(shape: &Shape) -> Use {
    match (shape.binds, shape.leaves || shape.borrows || shape.opens) {
        (true, true) => Use::PartScrutinee,
        (_, false) => Use::Scrutinee,
        (false, true) => Use::Shared,
    }
}

/// The expression without parentheses.
pub(super) fn peeled(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(node) => peeled(&node.expr),
        Expr::Group(node) => peeled(&node.expr),
        expr => expr,
    }
}
