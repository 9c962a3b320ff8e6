//! What an awaited operand borrows lives as long as the await.

use super::points::{Effect, Points};
use crate::cfg::Cfg;
use crate::hir::{Body, LocalId, Use, is_copy, is_reference};

/// What decides whether an operand borrows a local.
pub(super) struct Borrows<'b> {
    pub(super) body: &'b Body,
    /// The locals that some await borrows, of which all others borrow, too.
    pub(super) in_place: &'b [LocalId],
}

impl Borrows<'_> {
    /// Notes a use behind each await of what its operand borrows.
    pub(super) fn keep(&self, points: &mut Points, cfg: &Cfg) {
        for (id, resume) in cfg.waits() {
            for at in points.operand[id.0].clone() {
                if let Some((local, used)) = points.used(at)
                    && self.borrows(points, at, local, used)
                {
                    let part = points.parts.get(&at).cloned();
                    let used = Effect::Use(local, Use::Shared);
                    let behind = points.insert_behind(points.entry[resume.0], used);
                    points.parts.extend(part.map(|part| (behind, part)));
                }
            }
        }
    }

    fn borrows(&self, points: &Points, at: usize, local: LocalId, used: Use) -> bool {
        let refers = self.body.has_type(local, is_reference);
        let is_copied = self.body.has_type(local, is_copy);
        let is_lent = self.in_place.contains(&local) && !is_copied;
        match used {
            Use::Shared | Use::Mutable => !refers || is_lent || points.direct.contains(&at),
            // What takes a part, and not only looks at it, leaves a part of the local.
            Use::PartReceiver if refers => is_lent,
            Use::PartReceiver => points.leaves_part(at, local),
            Use::PartScrutinee => !refers,
            Use::Receiver if refers => self.body.locals[local.0].mutable || is_lent,
            Use::Receiver => self.body.is_plain(local),
            _ => false,
        }
    }
}
