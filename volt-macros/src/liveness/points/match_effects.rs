//! What becomes of a local that patterns are matched on, branch by branch.
//!
//! ```text
//! match held { Ok(d) => .., Err(_) => .. }      gone in the first arm, a part of it is gone in the second
//! match way { Way::Left => .., _ => .. }        looked at
//! ```

use syn::Pat;

use crate::hir::{LocalId, ReceiverQuery, Shape, Use};
use crate::liveness::result::Claim;

/// What is done with the matched local.
#[derive(Debug, Default)]
pub(in crate::liveness) struct Matched {
    /// The local and the fields on the way to the part, if what is done with it depends on the branch.
    pub(in crate::liveness) place: Option<(LocalId, String)>,
    /// For each pattern what is done with it there, and at last where none of them matches.
    pub(in crate::liveness) arms: Vec<Use>,
    /// For each pattern what the compiler has to confirm.
    pub(in crate::liveness) claims: Vec<(ReceiverQuery, Claim)>,
}

impl Matched {
    /// What is done with a place where it is matched, and in each branch. `place` is the local and the
    /// fields on the way, if it is made of these; `has_else` is whether it may match none of the patterns.
    pub(in crate::liveness) fn of(
        place: Option<(LocalId, String)>,
        pats: &[&Pat],
        has_else: bool,
    ) -> (Use, Self) {
        let shapes: Vec<_> = pats.iter().map(|pat| Shape::of(pat)).collect();
        let is_part = place.as_ref().is_none_or(|(_, part)| !part.is_empty());
        let is_only = pats.len() == 1 && !has_else;
        let used = match pats {
            _ if !shapes.iter().any(|shape| shape.binds) => {
                if shapes.iter().any(|shape| shape.borrows) {
                    Use::Mutable
                } else {
                    Use::Shared
                }
            }
            [Pat::Ident(_)] => Use::Value,
            _ if place.is_none() || is_part && is_only => Use::PartScrutinee,
            _ if is_only => arm(&shapes[0]),
            _ => {
                let arms = arms(&shapes, pats, is_part);
                return (
                    Use::Shared,
                    Self {
                        place,
                        arms,
                        ..Self::default()
                    },
                );
            }
        };
        (used, Self::default())
    }
}

/// What is done with a place, or with a part, in each branch, and at last where no pattern matches.
fn arms(shapes: &[Shape], pats: &[&Pat], is_part: bool) -> Vec<Use> {
    let arms = shapes.iter().zip(pats).map(|(shape, pat)| match is_part {
        // Of a variant without fields nothing is left, unless the type has a destructor.
        false if shape.opens && matches!(pat, Pat::Path(_)) => Use::PartScrutinee,
        false => arm(shape),
        true if shape.binds => Use::PartScrutinee,
        true => Use::Shared,
    });
    arms.chain([Use::Shared]).collect()
}

fn arm(shape: &Shape) -> Use {
    match (shape.binds, shape.leaves || shape.borrows || shape.opens) {
        (true, true) => Use::PartScrutinee,
        (_, false) => Use::Scrutinee,
        (false, true) => Use::Shared,
    }
}
