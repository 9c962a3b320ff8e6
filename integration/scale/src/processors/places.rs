//! The places of transfers: the instructions and the lines that they access.

use std::collections::HashMap;

/// One place in which a line is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    /// The address of the instruction, from the start of the program.
    pub(crate) code: u64,
    /// The address of the line.
    pub(crate) line: u64,
    pub(crate) writes: bool,
}

/// The transfers of each place.
#[derive(Debug, Default)]
pub(crate) struct Places(HashMap<Place, u64>);

impl Places {
    /// Adds one transfer.
    pub(super) fn add(&mut self, place: Place) {
        *self.0.entry(place).or_default() += 1;
    }

    /// Returns the lines with the most transfers, and the places of each; the most frequent first.
    pub(crate) fn lines(&self) -> Vec<(u64, Vec<(Place, u64)>)> {
        let mut lines: HashMap<u64, Vec<(Place, u64)>> = HashMap::new();
        for (&place, &transfers) in &self.0 {
            lines
                .entry(place.line)
                .or_default()
                .push((place, transfers));
        }
        let mut lines: Vec<_> = lines
            .into_values()
            .map(|mut places| {
                places.sort_by_key(|&(place, transfers)| (u64::MAX - transfers, place.code));
                (places.iter().map(|&(_, transfers)| transfers).sum(), places)
            })
            .collect();
        lines.sort_by_key(|(sum, places)| (u64::MAX - sum, places[0].0.line));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::{Place, Places};

    #[test]
    fn lines_and_their_places_are_sorted_by_transfers() {
        let place = |code, line| Place {
            code,
            line,
            writes: false,
        };
        let mut places = Places::default();
        for (code, line) in [(1, 64), (2, 128), (2, 128), (3, 128)] {
            places.add(place(code, line));
        }
        let lines = places.lines();
        assert_eq!(lines[0], (3, vec![(place(2, 128), 2), (place(3, 128), 1)]));
        assert_eq!(lines[1], (1, vec![(place(1, 64), 1)]));
    }
}
