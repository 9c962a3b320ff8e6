//! Locals that may contain a closure or an `async` block which borrows.

use std::collections::BTreeSet;

use super::borrow_sources::BorrowSources;
use super::captures::ExprForm;
use crate::hir::{AwaitId, LocalId};
use crate::resolve::named_in;

impl BorrowSources<'_> {
    /// A local of an awaited operand that may contain a closure or an `async` block which borrows
    /// from the function: `let add = |x| x + limit; apply(add).await`. The borrowed local has no
    /// place that outlives the await.
    pub(in crate::liveness) fn borrowing_closure(&self, id: AwaitId) -> Option<LocalId> {
        let named = self.body.uses(self.body.awaits[id.0].operand);
        let mut named = named.iter().copied();
        named.find(|local| self.may_hold_closure(*local))
    }

    /// Returns `true` if a local may contain such a closure or `async` block, itself or through
    /// another local.
    pub(super) fn may_hold_closure(&self, local: LocalId) -> bool {
        let mut visited = BTreeSet::new();
        let mut left = vec![local];
        while let Some(local) = left.pop() {
            if self.is_owner(local) || !visited.insert(local) {
                continue;
            }
            for value in self.values_of(local).chain(self.later_values_of(local)) {
                if ExprForm::of(self.body, value).has_unknown_size {
                    return true;
                }
                left.extend(named_in(value, &self.body.names));
            }
        }
        false
    }
}
