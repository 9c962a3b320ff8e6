//! The owner's list of children that are still to be polled.
//!
//! Pure bookkeeping, known to one thread: woken groups stand in a queue, each with the bits of its
//! woken children. The queue keeps a pass at the cost of the children woken, however many sleep.

use super::bits::{WORD, first_from};

const NONE: u32 = u32::MAX;

/// The ends of the queue of groups, and where the last scan stopped.
#[derive(Debug)]
pub(super) struct Line {
    first: u32,
    last: u32,
    /// The child after the one that was polled last.
    cursor: usize,
}

/// A group's children that are to be polled, and the group that follows in the queue.
#[derive(Debug, Clone, Copy)]
pub(super) struct Todo {
    bits: usize,
    next: u32,
}

impl Line {
    pub(super) const EMPTY: Self = Self {
        first: NONE,
        last: NONE,
        cursor: 0,
    };
}

impl Todo {
    pub(super) const EMPTY: Self = Self {
        bits: 0,
        next: NONE,
    };
}

/// The line and its groups, borrowed from where the wake set keeps them.
#[derive(Debug)]
pub(super) struct Agenda<'a> {
    pub(super) line: &'a mut Line,
    pub(super) todos: &'a mut [Todo],
}

impl Agenda<'_> {
    pub(super) fn is_empty(&self) -> bool {
        self.line.first == NONE
    }

    /// Starts the next scan at the first child.
    pub(super) fn rewind(&mut self) {
        self.line.cursor = 0;
    }

    /// The group in which the next scan starts.
    pub(super) fn start(&self) -> usize {
        let group = self.line.cursor / WORD;
        if group < self.todos.len() { group } else { 0 }
    }

    /// Adds children of one group; a group that is new to the queue goes to its end.
    #[inline]
    pub(super) fn add(&mut self, group: usize, bits: usize) {
        let todo = &mut self.todos[group];
        let queued = todo.bits != 0;
        todo.bits |= bits;
        if queued || bits == 0 {
            return;
        }
        todo.next = NONE;
        match self.line.last {
            NONE => self.line.first = group as u32,
            last => self.todos[last as usize].next = group as u32,
        }
        self.line.last = group as u32;
    }

    /// Adds all of the first `len` children.
    pub(super) fn add_all(&mut self, len: usize) {
        for group in 0..self.todos.len() {
            let here = (len - group * WORD).min(WORD);
            self.add(group, usize::MAX >> (WORD - here));
        }
    }

    /// Takes the next child: within a group, the first at or after the cursor, round the end.
    #[inline]
    pub(super) fn next(&mut self) -> Option<usize> {
        if self.line.first == NONE {
            return None;
        }
        let group = self.line.first as usize;
        let todo = &mut self.todos[group];
        let start = if self.line.cursor / WORD == group {
            self.line.cursor % WORD
        } else {
            0
        };
        let bit = first_from(todo.bits, start);
        todo.bits &= !(1 << bit);
        if todo.bits == 0 {
            self.line.first = todo.next;
            if self.line.first == NONE {
                self.line.last = NONE;
            }
        }
        let child = group * WORD + bit;
        self.line.cursor = child + 1;
        Some(child)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    fn drain(agenda: &mut Agenda<'_>) -> Vec<usize> {
        core::iter::from_fn(|| agenda.next()).collect()
    }

    #[test]
    fn all_children_come_once_in_order() {
        for len in [1, WORD - 1, WORD, WORD + 1, 5 * WORD + 3] {
            let mut todos = vec![Todo::EMPTY; len.div_ceil(WORD)];
            let mut line = Line::EMPTY;
            let mut agenda = Agenda {
                line: &mut line,
                todos: &mut todos,
            };
            agenda.add_all(len);
            assert_eq!(drain(&mut agenda), (0..len).collect::<Vec<_>>());
            assert!(agenda.is_empty());
        }
    }

    #[test]
    fn scan_starts_after_last_child() {
        let mut todos = [Todo::EMPTY];
        let mut line = Line::EMPTY;
        let mut agenda = Agenda {
            line: &mut line,
            todos: &mut todos,
        };
        agenda.add(0, 1 << 5);
        assert_eq!(drain(&mut agenda), [5]);
        agenda.add(0, 1 | 1 << 5 | 1 << 6 | 1 << 31);
        assert_eq!(drain(&mut agenda), [6, 31, 0, 5]);
        agenda.rewind();
        agenda.add(0, 1 | 1 << 5);
        assert_eq!(drain(&mut agenda), [0, 5]);
    }

    #[test]
    fn group_added_while_queued_keeps_its_place() {
        let mut todos = [Todo::EMPTY; 3];
        let mut line = Line::EMPTY;
        let mut agenda = Agenda {
            line: &mut line,
            todos: &mut todos,
        };
        agenda.add(2, 1);
        agenda.add(0, 2);
        agenda.add(1, 0);
        agenda.add(2, 4);
        assert_eq!(drain(&mut agenda), [2 * WORD, 2 * WORD + 2, 1]);
        agenda.add(1, 8);
        assert_eq!(drain(&mut agenda), [WORD + 3]);
    }
}
