//! Receiver queries: whether a method moves the local on which it is called.
//!
//! ```text
//! let body = page.render();  tick().await;       is `page` live at the await?
//! page.send().await;  tick().await;              does the future borrow `page`, or has it moved it?
//! ```
//!
//! A method only borrows a local that is used again. Otherwise constants of the machine have the
//! answer, and select one of two variants of the code.

use super::borrows::ExprForm;
use super::decide::LivenessBuilder;
use super::result::QueryId;
use crate::hir::{AwaitId, LocalId, ReceiverQuery, Use};

impl LivenessBuilder<'_> {
    /// Adds a query for the method call at a point, if the compiler can decide it.
    pub(super) fn query(&mut self, at: usize, local: LocalId) -> Option<QueryId> {
        let is_use = self.points.used(at) == Some((local, Use::Receiver));
        (is_use && self.can_query(at, local)).then(|| self.add_query(at))
    }

    /// Returns `true` if the compiler can decide the use at a point.
    pub(super) fn can_query(&self, at: usize, local: LocalId) -> bool {
        let is_known = self.points.queryable.contains(&at) && self.points.uses.contains_key(&at);
        let is_free = || match self.operand_at(at) {
            // An operand can be written in both variants of the code.
            Some(id) => {
                let form = ExprForm::of(self.body, self.body.operand(id));
                !form.has_unique_type && self.query_of(id).is_none()
            }
            None => !self.in_place.contains(&local) || self.points.repeatable.contains(&at),
        };
        is_known && (self.queried.contains(&at) || is_free())
    }

    /// Adds a query for the use at a point.
    pub(super) fn add_query(&mut self, at: usize) -> QueryId {
        let known = self.queried.iter().position(|queried| *queried == at);
        QueryId(known.unwrap_or_else(|| {
            self.queried.push(at);
            self.queried.len() - 1
        }))
    }

    /// The await whose operand contains a point.
    pub(super) fn operand_at(&self, at: usize) -> Option<AwaitId> {
        let mut operands = self.points.operand.iter();
        operands
            .position(|points| points.contains(&at))
            .map(AwaitId)
    }

    /// Returns `true` if an operand names a local.
    pub(super) fn names_in_operand(&self, id: AwaitId, local: LocalId) -> bool {
        let mut points = self.points.operand[id.0].clone();
        points.any(|at| self.points.is_used(at, local))
    }

    /// The query of a method call in an operand.
    pub(super) fn query_of(&self, id: AwaitId) -> Option<(LocalId, QueryId)> {
        let mut queried = self.queried.iter();
        let number = queried.position(|at| self.operand_at(*at) == Some(id))?;
        let (local, _) = self.points.used(self.queried[number])?;
        Some((local, QueryId(number)))
    }

    /// All queries, by their numbers.
    pub(super) fn queries(&self) -> Vec<ReceiverQuery> {
        let questions = self.queried.iter().filter_map(|at| {
            let (local, _) = self.points.used(*at)?;
            let used = self.points.uses.get(at)?;
            Some(ReceiverQuery {
                local,
                expr: used.expr,
                number: used.number,
            })
        });
        questions.collect()
    }
}
