//! The screen of `top`: its lines, and the position in them.

use super::dump_data::DumpData;
use super::text::{Counts, findings, groups, head, notes, spawns, tasks, title, tree};
use crate::terminal::{FAINT, styled};

/// The contents of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum View {
    Groups,
    /// The numbers of tasks by the place of their spawn.
    Spawns,
    /// The tasks of the group with this key.
    Tasks(String),
    /// The futures of a task of the group with this key.
    Task {
        group: String,
        id: String,
    },
}

/// The state of the screen.
#[derive(Clone, Debug)]
pub(super) struct Screen {
    pub(super) view: View,
    /// The selected group, as an index.
    pub(super) selected: usize,
    /// The latest answer of the server, or its error.
    pub(super) data: Result<DumpData, String>,
    /// The numbers of tasks in the answer before.
    pub(super) before: Option<Counts>,
}

/// A line, with its selection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ScreenLine {
    /// The text, with styles, at most as wide as the screen.
    pub(super) text: String,
    pub(super) is_selected: bool,
}

impl Screen {
    /// Returns the lines of a screen of this size.
    pub(super) fn lines(&self, width: usize, height: usize) -> Vec<ScreenLine> {
        let (top, table) = match &self.data {
            Err(error) => (error.clone(), String::new()),
            Ok(data) => {
                let (notes, table) = match self.view {
                    View::Groups => (notes(data), groups(data, self.before.as_ref())),
                    View::Spawns => (notes(data), spawns(data, self.before.as_ref())),
                    View::Tasks(_) => (String::new(), tasks(data)),
                    View::Task { .. } => (String::new(), task(data)),
                };
                (head(data) + &findings(data) + &notes, table)
            }
        };
        let line = |text: &str, is_selected| ScreenLine {
            text: cut(text, width),
            is_selected,
        };
        let mut lines: Vec<_> = top.lines().map(|text| line(text, false)).collect();
        // Findings leave at least half of the screen to the table.
        lines.truncate((height / 2).max(1));
        lines.push(line("", false));
        let room = height.saturating_sub(lines.len() + 1);
        let mut rows = table.lines();
        lines.extend(rows.next().map(|head| line(head, false)));
        let rows: Vec<_> = rows.collect();
        let room = room.saturating_sub(1);
        let first = (self.selected + 1).saturating_sub(room);
        for (index, row) in rows.iter().enumerate().skip(first).take(room) {
            lines.push(line(row, index == self.selected));
        }
        lines.resize(height.saturating_sub(1), line("", false));
        lines.push(line(&styled(FAINT, self.keys()), false));
        lines
    }

    fn keys(&self) -> &'static str {
        match self.view {
            View::Groups => {
                "q quit   up/down select   enter tasks of the group   s spawns   space refresh"
            }
            View::Spawns => "q quit   up/down select   s groups   space refresh",
            View::Tasks(_) => {
                "q quit   up/down select   enter futures of the task   esc groups   space refresh"
            }
            View::Task { .. } => "q quit   up/down select   esc tasks   space refresh",
        }
    }

    /// Returns the number of rows of the table.
    pub(super) fn rows(&self) -> usize {
        match (&self.data, &self.view) {
            (Err(_), _) => 0,
            (Ok(data), View::Groups) => data.groups.len(),
            (Ok(data), View::Spawns) => data.spawns.len(),
            (Ok(data), View::Tasks(_)) => data.tasks.len(),
            (Ok(data), View::Task { .. }) => task(data).lines().count().saturating_sub(1),
        }
    }

    /// Moves the selection by some rows, within the table.
    pub(super) fn select(&mut self, rows: isize) {
        let last = self.rows().saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(rows).min(last);
    }
}

/// Returns the only task of a dump, and a line for each of its futures.
fn task(data: &DumpData) -> String {
    data.tasks.first().map_or_else(
        || "The task has ended.\n".to_owned(),
        |task| title(task) + &tree(task),
    )
}

/// Returns the start of a text of this width. Escape sequences have no width, and all of them are
/// kept, so that the last style ends.
fn cut(text: &str, width: usize) -> String {
    let (mut cut, mut used, mut in_escape) = (String::new(), 0, false);
    for letter in text.chars() {
        if letter == '\u{1b}' {
            in_escape = true;
        }
        if in_escape {
            cut.push(letter);
            in_escape = !letter.is_ascii_alphabetic();
        } else if used < width {
            cut.push(letter);
            used += 1;
        }
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::{Screen, View, cut};
    use crate::inspection::dump_data::{DumpData, FindingData, GroupData, PlaceData};

    fn screen(groups: usize) -> Screen {
        let group = |number: usize| GroupData {
            key: number.to_string(),
            places: vec![PlaceData {
                text: format!("place {number}"),
                is_of_program: true,
            }],
            count: 7,
            ..GroupData::default()
        };
        let data = DumpData {
            groups: (0..groups).map(group).collect(),
            findings: vec![FindingData::default(); 9],
            ..DumpData::default()
        };
        Screen {
            view: View::Groups,
            selected: 0,
            data: Ok(data),
            before: Some([("0".to_owned(), 4)].into()),
        }
    }

    #[test]
    fn selected_row_stays_on_the_screen() {
        let mut screen = screen(100);
        screen.select(70);
        let lines = screen.lines(80, 20);
        assert_eq!(lines.len(), 20);
        let selected: Vec<_> = lines.iter().filter(|line| line.is_selected).collect();
        assert_eq!(selected.len(), 1);
        assert!(selected[0].text.contains("place 70"), "{selected:?}");
        screen.select(1000);
        assert_eq!(screen.selected, 99);
        screen.select(-1000);
        assert_eq!(screen.selected, 0);
    }

    #[test]
    fn change_since_the_last_answer_is_shown() {
        let lines = screen(1).lines(80, 20);
        assert!(
            lines.iter().any(|line| line.text.contains("+3")),
            "{lines:?}"
        );
    }

    #[test]
    fn long_line_is_cut_without_its_styles() {
        assert_eq!(cut("\u{1b}[1mabcdef\u{1b}[0m", 3), "\u{1b}[1mabc\u{1b}[0m");
    }
}
