//! What is used later, at each point.

use super::points::{Effect, Points};
use crate::hir::{LocalId, Use};

/// For each point, and each local by its number, whether it is used at the point or later.
pub(super) type Later = Vec<Vec<bool>>;

/// What is used at each of the points or later. To be assigned is no use, unless all that is `named` counts.
/// Goes from the ends to the beginning until nothing changes.
pub(super) fn used_later(points: &Points, locals: usize, named: bool) -> Later {
    let mut before = vec![vec![false; locals]; points.all.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (index, point) in points.all.iter().enumerate().rev() {
            let mut used = vec![false; locals];
            for next in &point.next {
                let both = used.iter_mut().zip(&before[*next]);
                both.for_each(|(own, next)| *own |= next);
            }
            change(&mut used, point.effect, named);
            changed |= used != before[index];
            before[index] = used;
        }
    }
    before
}

fn change(used: &mut [bool], effect: Effect, named: bool) {
    match effect {
        Effect::Begin(local, _) => used[local.0] = false,
        Effect::Use(local, Use::Assigned) => used[local.0] = named,
        Effect::Use(local, _) => used[local.0] = true,
        Effect::Nothing => {}
    }
}

/// Whether a local is not used behind a point.
pub(super) fn is_last(points: &Points, later: &Later, at: usize, local: LocalId) -> bool {
    let mut next = points.all[at].next.iter();
    !next.any(|next| later[*next][local.0])
}
