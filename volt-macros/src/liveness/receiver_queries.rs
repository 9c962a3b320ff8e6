//! Questions to the compiler: whether a method takes the local on which it is called.
//!
//! ```text
//! let body = page.render();  tick().await;       does `page` live at the await?
//! page.send().await;  tick().await;              does the future borrow `page`, or has it taken it?
//! ```
//!
//! A local that is used again was looked at. Otherwise the constants of the machine hold the answer: they
//! choose which of two variants of the code is alive.

use super::borrows::Form;
use super::decide::Facts;
use super::result::QuestionId;
use crate::hir::{AwaitId, LocalId, Question, Use};

impl Facts<'_> {
    /// The question whether what is called at a point takes the local, if it can be asked.
    pub(super) fn question(&mut self, at: usize, local: LocalId) -> Option<QuestionId> {
        let is_use = self.points.used(at) == Some((local, Use::Receiver));
        (is_use && self.can_be_asked(at, local)).then(|| self.ask(at))
    }

    /// Whether the use at a point may be asked for.
    pub(super) fn can_be_asked(&self, at: usize, local: LocalId) -> bool {
        let is_known = self.points.asked.contains(&at) && self.points.uses.contains_key(&at);
        let is_free = || match self.operand_at(at) {
            // An operand may stand in both variants of the code.
            Some(id) => {
                let form = Form::of(self.body, self.body.operand(id));
                !form.is_unique && self.asks(id).is_none()
            }
            None => !self.in_place.contains(&local) || self.points.twice.contains(&at),
        };
        is_known && (self.asked.contains(&at) || is_free())
    }

    /// Asks for the use at a point.
    pub(super) fn ask(&mut self, at: usize) -> QuestionId {
        let known = self.asked.iter().position(|asked| *asked == at);
        QuestionId(known.unwrap_or_else(|| {
            self.asked.push(at);
            self.asked.len() - 1
        }))
    }

    /// The await whose operand a point belongs to.
    pub(super) fn operand_at(&self, at: usize) -> Option<AwaitId> {
        let mut operands = self.points.operand.iter();
        operands
            .position(|points| points.contains(&at))
            .map(AwaitId)
    }

    /// Whether an operand names a local.
    pub(super) fn names_in_operand(&self, id: AwaitId, local: LocalId) -> bool {
        let mut points = self.points.operand[id.0].clone();
        points.any(|at| self.points.is_used(at, local))
    }

    /// What is asked of a method in an operand.
    pub(super) fn asks(&self, id: AwaitId) -> Option<(LocalId, QuestionId)> {
        let mut asked = self.asked.iter();
        let number = asked.position(|at| self.operand_at(*at) == Some(id))?;
        let (local, _) = self.points.used(self.asked[number])?;
        Some((local, QuestionId(number)))
    }

    /// All questions, by their numbers.
    pub(super) fn questions(&self) -> Vec<Question> {
        let questions = self.asked.iter().filter_map(|at| {
            let (local, _) = self.points.used(*at)?;
            let used = self.points.uses.get(at)?;
            Some(Question {
                local,
                expr: used.expr,
                number: used.number,
            })
        });
        questions.collect()
    }
}
