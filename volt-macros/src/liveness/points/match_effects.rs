//! The use of a matched local in each branch.
//!
//! ```text
//! match held { Ok(d) => .., Err(_) => .. }      moved in the first arm, partly moved in the second
//! match way { Way::Left => .., _ => .. }        borrowed
//! ```

use syn::Pat;

use crate::hir::{LocalId, ReceiverQuery, Shape, Use, is_some_of_all};
use crate::liveness::result::Claim;

/// The use of a matched local.
#[derive(Debug, Default)]
pub(in crate::liveness) struct Matched {
    /// The local, and the fields on the way to the matched part, if the use depends on the branch.
    pub(in crate::liveness) place: Option<(LocalId, String)>,
    /// The use for each pattern, and at last the use if no pattern matches.
    pub(in crate::liveness) arms: Vec<Use>,
    /// The claim of each pattern.
    pub(in crate::liveness) claims: Vec<(ReceiverQuery, Claim)>,
}

impl Matched {
    /// Returns the use where the place is matched, and in each branch. `place` is the local and the
    /// fields on the way, if the place has this form. `has_else` is `true` if no pattern may match.
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

/// The use of a place, or of a part, in each branch, and at last if no pattern matches.
fn arms(shapes: &[Shape], pats: &[&Pat], is_part: bool) -> Vec<Use> {
    let arms = shapes.iter().zip(pats).map(|(shape, pat)| {
        // Nothing of a variant without fields is left, unless its type has a destructor.
        let is_variant = shape.destructures && matches!(pat, Pat::Path(_));
        let moves_part = if is_part { shape.binds } else { is_variant };
        match (moves_part, is_part) {
            (true, _) => Use::PartScrutinee,
            (false, true) => Use::Shared,
            (false, false) => arm(shape),
        }
    });
    arms.chain([unmatched(shapes, pats, is_part)]).collect()
}

/// The use if no pattern matches. Nothing of a value that is not `Some` is left.
fn unmatched(shapes: &[Shape], pats: &[&Pat], is_part: bool) -> Use {
    match (shapes, pats) {
        ([shape], [pat]) if !is_part && !shape.borrows && is_some_of_all(pat) => Use::Scrutinee,
        _ => Use::Shared,
    }
}

fn arm(shape: &Shape) -> Use {
    match (
        shape.binds,
        shape.leaves_part || shape.borrows || shape.destructures,
    ) {
        (true, true) => Use::PartScrutinee,
        (_, false) => Use::Scrutinee,
        (false, true) => Use::Shared,
    }
}
