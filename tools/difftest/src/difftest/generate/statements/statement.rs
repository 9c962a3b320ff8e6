//! The choice of the next statement.

use super::super::writer::{Flow, Writer};

/// Writes a statement, or nothing at all if there is none of the kind to be written here.
type Production = fn(&mut Writer<'_>) -> Option<Flow>;

/// Statements that are valid anywhere.
const PLAIN: [(usize, Production); 17] = [
    (14, |writer| writer.let_value()),
    (5, |writer| writer.let_later()),
    (12, |writer| writer.look_at()),
    (9, |writer| writer.move_away()),
    (4, |writer| writer.rename()),
    (4, |writer| writer.take_apart()),
    (10, |writer| writer.assign()),
    (3, |writer| writer.called()),
    (2, |writer| writer.in_macro()),
    (3, |writer| writer.change_inside()),
    (3, |writer| writer.noted()),
    (5, |writer| writer.let_else()),
    (7, |writer| writer.leave_perhaps()),
    (7, |writer| writer.question()),
    (6, |writer| writer.parts_moved()),
    (6, |writer| writer.parts_changed()),
    (2, |writer| writer.let_reference()),
];

/// Statements of several lines.
const NESTED: [(usize, Production); 3] = [
    (14, |writer| writer.construct_alone()),
    (14, |writer| writer.construct_bound()),
    (4, |writer| writer.parts_matched()),
];

/// Statements that await.
const AWAITING: [(usize, Production); 12] = [
    (16, |writer| writer.await_alone()),
    (16, |writer| writer.let_awaited()),
    (10, |writer| writer.let_operands()),
    (2, |writer| writer.recursion()),
    (4, |writer| writer.let_joined()),
    (10, |writer| writer.parts_awaited()),
    (14, |writer| writer.parts_lifecycle()),
    (5, |writer| writer.part_consumed()),
    (4, |writer| writer.part_owner_between()),
    (3, |writer| writer.left_behind()),
    (3, |writer| writer.retold()),
    (3, |writer| writer.flowing()),
];

impl Writer<'_> {
    /// Writes up to `count` statements.
    pub(crate) fn statements(&mut self, count: usize) -> Flow {
        for _ in 0..count {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            if self.statement() == Flow::Leaves {
                return Flow::Leaves;
            }
        }
        Flow::Falls
    }

    fn statement(&mut self) -> Flow {
        if !self.around.is_empty() && self.rng.chance(2) {
            return self.leave();
        }
        let mut table: Vec<(usize, Production)> = PLAIN.to_vec();
        table.extend(NESTED);
        if !self.is_sync {
            table.extend(AWAITING);
        }
        let weights: Vec<usize> = table.iter().map(|(weight, _)| *weight).collect();
        for _ in 0..6 {
            let (_, production) = table[self.rng.weighted(&weights)];
            if let Some(flow) = production(self) {
                return flow;
            }
        }
        Flow::Falls
    }
}
