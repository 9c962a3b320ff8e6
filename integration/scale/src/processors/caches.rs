//! Which processors have a valid copy of each cache line.

use std::collections::{HashMap, HashSet};

const LINE_BITS: u32 = 6;

#[derive(Debug, Default)]
struct Line {
    /// One bit for each processor.
    copies: u64,
    writer: Option<usize>,
}

/// Caches without a limit of size, one for each processor.
#[derive(Debug, Default)]
pub(super) struct Caches {
    lines: HashMap<u64, Line>,
    written: Vec<HashSet<u64>>,
}

impl Caches {
    /// Records a read. Returns `true` if another processor wrote the line since the last access.
    pub(super) fn read(&mut self, processor: usize, address: u64) -> bool {
        let line = self.lines.entry(address >> LINE_BITS).or_default();
        let own = 1 << processor;
        let transfers =
            line.copies & own == 0 && line.writer.is_some_and(|other| other != processor);
        line.copies |= own;
        transfers
    }

    /// Records a write, and returns `true` if another processor has a copy of the line.
    pub(super) fn write(&mut self, processor: usize, address: u64) -> bool {
        let number = address >> LINE_BITS;
        let line = self.lines.entry(number).or_default();
        let own = 1 << processor;
        let transfers = line.copies & !own != 0;
        *line = Line {
            copies: own,
            writer: Some(processor),
        };
        if self.written.len() <= processor {
            self.written.resize_with(processor + 1, HashSet::new);
        }
        self.written[processor].insert(number);
        transfers
    }

    /// Returns the number of lines that the processor wrote since the last call, and forgets them.
    pub(super) fn take_written(&mut self, processor: usize) -> u64 {
        self.written.get_mut(processor).map_or(0, |lines| {
            let count = lines.len() as u64;
            lines.clear();
            count
        })
    }

    /// Returns the number of processors that wrote.
    pub(super) fn processors(&self) -> usize {
        self.written.len()
    }
}

#[cfg(test)]
mod tests {
    use super::Caches;

    #[test]
    fn second_read_of_a_line_transfers_nothing() {
        let mut caches = Caches::default();
        assert!(!caches.write(0, 64));
        assert!(caches.read(1, 127));
        assert!(!caches.read(1, 64));
        assert!(!caches.read(0, 64));
    }

    #[test]
    fn write_invalidates_copies_of_others() {
        let mut caches = Caches::default();
        assert!(!caches.read(0, 0));
        assert!(!caches.read(1, 0));
        assert!(caches.write(0, 8));
        assert!(!caches.write(0, 16));
        assert!(caches.write(1, 0));
        assert!(caches.read(0, 0));
    }

    #[test]
    fn written_lines_are_distinct() {
        let mut caches = Caches::default();
        caches.write(2, 0);
        caches.write(2, 63);
        caches.write(2, 64);
        assert_eq!(caches.take_written(2), 2);
        assert_eq!(caches.take_written(2), 0);
    }
}
