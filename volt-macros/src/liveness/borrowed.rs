//! What an awaited operand borrows lives as long as the await.

use super::points::{Effect, Points};
use crate::cfg::{Cfg, End};
use crate::hir::{Body, LocalId, Use, is_copy, is_reference};

/// Notes a use behind each await of what its operand borrows. `looks` is whether a method that is
/// called on a local only looks at it; `in_place` are the locals that some await borrows, of which all
/// others borrow, too.
pub(super) fn keep_borrowed(
    points: &mut Points,
    body: &Body,
    cfg: &Cfg,
    plain: &[bool],
    in_place: &[LocalId],
    looks: impl Fn(LocalId, &str) -> bool,
) {
    for block in &cfg.blocks {
        let End::Suspend { id, resume } = block.end else {
            continue;
        };
        let Some((begin, end)) = points.operand[id.0] else {
            continue;
        };
        for at in begin..=end {
            let Effect::Use(local, used) = points.all[at].effect else {
                continue;
            };
            let data = &body.locals[local.0];
            let refers = data.ty.as_ref().is_some_and(is_reference);
            let method = points.methods.get(&at);
            let copied = data.ty.as_ref().is_some_and(is_copy);
            let known = method.is_some_and(|method| looks(local, method));
            let is_lent = in_place.contains(&local) && !copied;
            let borrows = match used {
                Use::Shared | Use::Mutable => !refers || is_lent || points.direct.contains(&at),
                // What takes a part, and not only looks at it, leaves a part of the local.
                Use::PartReceiver if refers => is_lent,
                Use::PartReceiver => points.leaves_part(at, local),
                Use::PartScrutinee => !refers,
                Use::Receiver if refers => data.mutable || is_lent,
                Use::Receiver => plain[local.0] || known,
                _ => false,
            };
            if borrows {
                let part = points.parts.get(&at).cloned();
                let used = Effect::Use(local, Use::Shared);
                let behind = points.insert_behind(points.entry[resume.0], used);
                points.parts.extend(part.map(|part| (behind, part)));
            }
        }
    }
}
