//! Borrows of awaited operands, which last as long as the await.

use std::collections::BTreeSet;

use super::points::{Effect, Points};
use crate::cfg::Cfg;
use crate::hir::{Body, LocalId, Use, is_borrowed_by_methods, is_copy, is_reference};

/// Adds a use after each await for the locals that its operand borrows. If one await borrows a
/// local `in_place`, all others borrow it, too.
pub(super) fn keep(body: &Body, in_place: &BTreeSet<LocalId>, points: &mut Points, cfg: &Cfg) {
    for (id, resume) in cfg.suspensions() {
        for at in points.operand[id.0].clone() {
            if let Some((local, used)) = points.used(at)
                && !moves_later(body, points, points.operand[id.0].end, (at, local))
                && borrows(body, in_place.contains(&local), points, (at, local, used))
            {
                let part = points.parts.get(&at).cloned();
                let used = Effect::Use(local, Use::Shared);
                let after = points.insert_after(points.entry[resume.0], used);
                points.parts.extend(part.map(|part| (after, part)));
            }
        }
    }
}

/// Returns `true` if the same operand moves the local later. Then the uses before borrow nothing.
/// This does not follow for a copied local or a reference.
fn moves_later(body: &Body, points: &Points, end: usize, (at, local): (usize, LocalId)) -> bool {
    let may_be_kept = body.has_type(local, |ty| is_copy(ty) || is_reference(ty));
    let is_typed = body.has_type(local, |_| true);
    let after = (at + 1)..end;
    let moves = |used| used == Use::Scrutinee || is_typed && used == Use::Value;
    let mut used = after.filter_map(|at| points.used(at));
    !may_be_kept && used.any(|(other, used)| other == local && moves(used))
}

fn borrows(
    body: &Body,
    is_in_place: bool,
    points: &Points,
    (at, local, used): (usize, LocalId, Use),
) -> bool {
    let refers = body.has_type(local, is_reference);
    let is_borrowed = is_in_place && !body.has_type(local, is_copy);
    match used {
        Use::Shared | Use::Mutable => !refers || is_borrowed || points.borrowed_whole.contains(&at),
        // A use that moves a part, instead of borrowing it, leaves the other parts.
        Use::PartReceiver if refers => is_borrowed,
        Use::PartReceiver => points.leaves_part(at, local),
        Use::PartScrutinee => !refers,
        Use::Receiver if body.has_type(local, is_borrowed_by_methods) => true,
        Use::Receiver if refers => body.locals[local.0].mutable || is_borrowed,
        Use::Receiver => body.is_plain(local),
        _ => false,
    }
}
