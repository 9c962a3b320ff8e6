//! Parts of a local that are used while another part of it is borrowed.
//!
//! ```text
//! self.conn.open().await?;  for name in &self.names { self.seen.push(name.len()) }
//! ```
//!
//! The compiler tells the two parts apart, and lets both be borrowed. What an await has borrowed lies in its place,
//! and is named through a guard, which is borrowed as a whole. So the block takes such a local out of its place, or
//! there is a doubt.

use super::decide::Facts;
use crate::cfg::BlockId;
use crate::hir::{LocalId, Use};

impl Facts<'_> {
    /// Whether a block may use one part of a local while another one is borrowed. What lies in its place is
    /// borrowed as a whole.
    pub(super) fn splits(&self, block: BlockId, local: LocalId) -> bool {
        if self.stable.contains(&local) {
            return false;
        }
        let points = self.points_of(block).into_iter();
        let uses: Vec<_> = points
            .filter(|at| self.points.is_used(*at, local))
            .collect();
        let is_split = |one: usize, other: usize| {
            let parts = &self.points.parts;
            let is_apart = parts.contains_key(&one) && parts.get(&one) != parts.get(&other);
            is_apart && self.is_borrowed_at(one, other, local)
        };
        uses.iter()
            .any(|one| uses.iter().any(|other| is_split(*one, *other)))
    }

    /// Whether what is borrowed of a local at one point may still be so at another one, and only one of the two
    /// may have it.
    fn is_borrowed_at(&self, one: usize, other: usize, local: LocalId) -> bool {
        let (Some(here), Some(there)) = (self.points.uses.get(&one), self.points.uses.get(&other))
        else {
            // It is not named there.
            return false;
        };
        let borrows = match self.points.used(one) {
            Some((_, used)) => matches!(
                used,
                Use::Shared | Use::Mutable | Use::PartReceiver | Use::PartScrutinee
            ),
            None => false,
        };
        let is_bound = !self.is_method_owned(one) && here.bound.may_be_of(local);
        let lasts = is_bound || here.statement == there.statement;
        borrows && lasts && !(self.only_looks(one) && self.only_looks(other))
    }

    /// Whether a use only looks at its local.
    fn only_looks(&self, at: usize) -> bool {
        match self.points.used(at) {
            Some((_, Use::Part | Use::Shared | Use::Copied)) => true,
            Some((local, Use::Receiver | Use::PartReceiver)) => self.is_look(at, local),
            _ => false,
        }
    }
}
