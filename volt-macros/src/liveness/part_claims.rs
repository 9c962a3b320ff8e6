//! Claims about uses that may move a part of a local, which the compiler confirms.
//!
//! ```text
//! send(&chunk.data[..chunk.len]).await     `chunk.len` is a number
//! user.name.trim();  tick().await;         `trim` borrows
//! let Json(body) = argument_1;             `Json` has no destructor, and `body` is its only part
//! debit(transaction(), &book, cents).await `cents` has no destructor
//! ```
//!
//! The types decide, so the probe checks each claim. If a claim is wrong, the machine stores the
//! compiler's coroutine.

use std::collections::BTreeSet;
use std::ops::Range;

use super::borrows::{BorrowSources, BorrowedFrom};
use super::decide::LivenessBuilder;
use super::points::Effect;
use super::result::{Claim, Live, Liveness, Need};
use crate::fallback::{FallbackReason, Fallbacks};
use crate::hir::{ExprId, LocalId, ReceiverQuery, Use, is_copy, owns, shows_no_borrow};

impl LivenessBuilder<'_> {
    /// Claims that no use of a part on the way to a point moves the part. Returns `false` if the
    /// compiler cannot check one of them.
    pub(super) fn assume_parts(&mut self, to: usize, local: LocalId) -> bool {
        let uses = 0..self.points.all.len();
        let uses = uses.filter(|at| self.may_move_part(*at, local) && self.leads(*at, to, local));
        let uses: Vec<usize> = uses.collect();
        let claims = uses.iter().map(|at| {
            let (query, claim) = self.points.claims.get(at).copied()?;
            // The rest of a value that is used later stays there.
            let is_left = matches!(claim, Claim::Pattern(_)) && !self.is_last(*at, local);
            Some((query, if is_left { Claim::Plain } else { claim }))
        });
        let Some(claims) = claims.collect::<Option<Vec<_>>>() else {
            return false;
        };
        claims.into_iter().for_each(|claim| self.assume(claim));
        true
    }

    /// Claims that a method of an awaited operand borrows only the target of a reference, which is
    /// not used again. A method of a trait for the reference type may borrow the reference itself.
    pub(super) fn assume_reborrowed(&mut self, at: usize, local: LocalId) {
        if self.is_generic || !self.points.queryable.contains(&at) {
            return;
        }
        if let Some(used) = self.points.uses.get(&at) {
            let query = ReceiverQuery {
                local,
                expr: used.expr,
                number: used.number,
            };
            self.assume((query, Claim::Reborrowed));
        }
    }

    fn assume(&mut self, claim: (ReceiverQuery, Claim)) {
        if !self.claims.contains(&claim) {
            self.claims.push(claim);
        }
    }

    /// Claims that the use of a part of a local in its place leaves the part there. Returns `false`
    /// if the compiler cannot check it. A pattern has to copy the part.
    pub(super) fn assume_part_stays(&mut self, at: usize) -> bool {
        let Some((query, claim)) = self.points.claims.get(&at).copied() else {
            return false;
        };
        if self.is_generic {
            return false;
        }
        let claim = match claim {
            Claim::Plain | Claim::Whole | Claim::Pattern(_) => Claim::Copied,
            claim => claim,
        };
        self.assume((query, claim));
        true
    }

    /// Claims that a local whose value is moved once between these points has no destructor.
    /// Returns `false` if the compiler cannot check it. A local that is used later is copied.
    pub(super) fn assume_no_destructor(
        &mut self,
        points: Range<usize>,
        local: LocalId,
        is_last: bool,
    ) -> bool {
        if self.is_generic || self.body.has_type(local, owns) {
            return false;
        }
        let uses: Vec<usize> = points
            .filter(|at| self.points.is_used(*at, local))
            .collect();
        let [at] = uses[..] else {
            return false;
        };
        let Some((query, Claim::Kept)) = self.points.claims.get(&at).copied() else {
            return false;
        };
        if is_last {
            self.assume((query, Claim::MovedLate));
        }
        is_last || self.claims.contains(&(query, Claim::Kept))
    }

    /// Claims that a matched local is no mutable reference, if it is live with a local that a
    /// pattern binds: the bound part would be borrowed again through it.
    ///
    /// ```text
    /// if let Some(page) = slot { send(page).await }  slot.take()
    /// ```
    pub(super) fn check_matched(
        &mut self,
        bound: LocalId,
        liveness: &Liveness,
        fallbacks: &mut Fallbacks,
    ) {
        let values = self.borrow_sources.values.get(&bound).cloned();
        for value in values.unwrap_or_default() {
            let matched = self.borrow_sources.matched_local(&self.body.exprs[value.0]);
            let matched = matched.filter(|matched| self.is_used_with(*matched, bound, liveness));
            let Some(local) = matched.filter(|local| self.body.locals[local.0].ty.is_none()) else {
                continue;
            };
            let mut uses = self.points.uses.iter();
            let found = uses.find(|(at, used)| {
                used.expr == value && !used.is_nested && self.points.is_used(**at, local)
            });
            match found.map(|(_, used)| (value, used.number)) {
                Some((expr, number)) if !self.is_generic => {
                    let query = ReceiverQuery {
                        local,
                        expr,
                        number,
                    };
                    self.assume((query, Claim::NotExclusive));
                }
                _ => self.note(FallbackReason::Borrow, bound, fallbacks),
            }
        }
    }

    /// Returns `true` if a block begins with both locals, and the first one is used later.
    fn is_used_with(&self, local: LocalId, bound: LocalId, liveness: &Liveness) -> bool {
        let has = |entry: &[Live], local| entry.iter().any(|live| live.local == local);
        let is_used = |live: &Live| live.local == local && live.need == Need::Used;
        let mut entries = liveness.entry.iter();
        entries.any(|entry| entry.iter().any(is_used) && has(entry, bound))
    }

    /// Returns `true` if a path leads from one point to another without an assignment of the local.
    fn leads(&self, from: usize, to: usize, local: LocalId) -> bool {
        let mut seen = vec![false; self.points.all.len()];
        let mut open = self.points.all[from].next.clone();
        while let Some(at) = open.pop() {
            if at == to {
                return true;
            }
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            match self.points.all[at].effect {
                Effect::Begin(other, _) | Effect::Use(other, Use::Assigned) if other == local => {}
                _ => open.extend(&self.points.all[at].next),
            }
        }
        false
    }

    /// Returns `true` if a use may move a part of a local that stays until an await.
    pub(super) fn moves_part_before_await(&self, at: usize, local: LocalId) -> bool {
        let entries = || self.cfg.suspensions().map(|(_, resume)| resume.0);
        self.may_move_part(at, local)
            && entries().any(|resume| self.leads(at, self.points.entry[resume], local))
    }

    /// Returns `true` if the use at a point may move a part of the local.
    fn may_move_part(&self, at: usize, local: LocalId) -> bool {
        let is_part = |used| matches!(used, Use::Part | Use::PartReceiver | Use::PartScrutinee);
        let used = self.points.used(at).filter(|(other, _)| *other == local);
        used.is_some_and(|(_, used)| is_part(used)) && !self.points.leaves_part(at, local)
    }
}

impl BorrowSources<'_> {
    /// The values of locals in which the name of a method decides what is borrowed.
    pub(super) fn trusted_methods(&self) -> BTreeSet<ExprId> {
        let locals = self
            .values
            .iter()
            .filter(|(local, _)| !self.is_owner(**local));
        locals.flat_map(|(_, values)| values).copied().collect()
    }

    /// The locals that may borrow from others, although the written type shows no lifetime. A type
    /// may hide one, as `MutexGuard<u32>` does. The compiler checks them.
    pub(super) fn trusted_types(&self) -> Vec<LocalId> {
        let locals = (0..self.body.locals.len()).map(LocalId);
        let trusted = locals.filter(|local| {
            let is_argument = self.body.locals[local.0].is_argument();
            let is_named =
                || (self.body).has_type(*local, |ty| shows_no_borrow(ty) && !is_copy(ty));
            let mut found = BorrowedFrom::default();
            if !is_argument && is_named() {
                self.collect_values(*local, &mut found);
            }
            found.is_unknown || !found.locals.is_empty()
        });
        trusted.collect()
    }
}
