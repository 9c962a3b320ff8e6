//! Claims that the compiler confirms: a use that may move a part of a local moves none.
//!
//! ```text
//! send(&chunk.data[..chunk.len]).await     `chunk.len` is a number
//! user.name.trim();  tick().await;         `trim` borrows
//! let Json(body) = argument_1;             `Json` has no destructor of its own, and `body` is
//! all of it
//! ```
//!
//! The types decide, so the probe asks. If a claim is wrong, the machine keeps the compiler's
//! coroutine.

use super::decide::Facts;
use super::lives::Claim;
use crate::hir::{LocalId, Question, Use};

impl Facts<'_> {
    /// Assumes that all uses of parts of a local move nothing that matters, if each of them can
    /// be asked for.
    pub(super) fn assume_parts(&mut self, local: LocalId) -> bool {
        let uses = 0..self.points.all.len();
        let uses = uses.filter(|at| self.may_move_part(*at, local));
        let uses: Vec<usize> = uses.collect();
        let can_be_asked = uses.iter().all(|at| self.points.claims.contains_key(at));
        if can_be_asked {
            self.assumed.extend(uses);
        }
        can_be_asked
    }

    /// Assumes that the use of a part of a local in its place leaves the part there, if that can
    /// be asked.
    pub(super) fn assume_stays(&mut self, at: usize) -> bool {
        let claim = self.points.claims.get(&at).map(|(_, claim)| *claim);
        let is_asked = matches!(claim, Some(Claim::Copied | Claim::Kept | Claim::Borrowed))
            && !self.is_generic;
        if is_asked {
            self.assumed.insert(at);
        }
        is_asked
    }

    /// Returns `true` if the use at a point may move a part of the local.
    fn may_move_part(&self, at: usize, local: LocalId) -> bool {
        let is_part = |used| matches!(used, Use::Part | Use::PartReceiver | Use::PartScrutinee);
        let used = self.points.used(at).filter(|(other, _)| *other == local);
        used.is_some_and(|(_, used)| is_part(used)) && !self.points.leaves_part(at, local)
    }

    /// All that is assumed: each use once.
    pub(super) fn assumed(&self) -> Vec<(Question, Claim)> {
        let mut assumed = Vec::new();
        for at in &self.assumed {
            let claim = self.points.claims[at];
            if !assumed.contains(&claim) {
                assumed.push(claim);
            }
        }
        assumed
    }
}
