//! What a machine tells of itself: written in plain lists, of which the tables are made when a program is built.
//!
//! The compiler checks each expression of each machine, and each constant that its code names it computes too. So there
//! are few of them, and what makes the tables is generic over the machine: `cargo check` does not run it.

use crate::machine::layout::Layout;
use crate::machine::register_once::RegisterOnce;
use crate::machine::state::{Local, State};
use crate::machine::tables::{Tables, own};

/// The tables of a machine, on a type of no size that has no parameters.
pub trait Table: Sized {
    /// The type of the lists.
    type Rows: BuildTables<Self>;

    /// What expanded code writes.
    const ROWS: Self::Rows;

    /// All of them.
    const TABLES: &'static Tables = <Self::Rows as BuildTables<Self>>::TABLES;
}

/// The tables of a machine. A call, and not the constant itself, which `cargo check` would compute.
#[must_use]
pub const fn tables<T: Table>() -> &'static Tables {
    T::TABLES
}

/// What expanded code writes of a machine.
#[derive(Clone, Copy, Debug)]
pub struct NativeRows<const STATES: usize, const ARGUMENTS: usize, const STEPS: usize> {
    /// The name of the machine's type.
    pub name: &'static str,
    /// The source file of the function.
    pub file: &'static str,
    /// The name of each state, its line and its column.
    pub states: [(&'static str, u32, u32); STATES],
    /// The name of each argument, and its type.
    pub arguments: [(&'static str, &'static str); ARGUMENTS],
    /// The numbers of the ends of each step.
    pub steps: [(usize, usize); STEPS],
    /// How the machine is kept.
    pub layout: Layout,
}

/// Lists of which tables are made.
pub trait BuildTables<T> {
    /// What is kept in all states.
    const LOCALS: &'static [Local];

    /// Whether the runtime was told of the machine, where that is noted.
    const REGISTER_ONCE: Option<&'static RegisterOnce> = None;

    /// All of them.
    const TABLES: &'static Tables;
}

impl<T, const STATES: usize, const ARGUMENTS: usize, const STEPS: usize> BuildTables<T>
    for NativeRows<STATES, ARGUMENTS, STEPS>
where
    T: Table<Rows = Self>,
{
    const LOCALS: &'static [Local] = &locals(T::ROWS.arguments);

    const TABLES: &'static Tables = &Tables {
        name: T::ROWS.name,
        states: &T::ROWS.states(<Self as BuildTables<T>>::LOCALS),
        own: &T::ROWS.own(),
        transitions: &crate::machine::tables::steps(T::ROWS.steps),
        layout: T::ROWS.layout,
    };
}

impl<const STATES: usize, const ARGUMENTS: usize, const STEPS: usize>
    NativeRows<STATES, ARGUMENTS, STEPS>
{
    const fn states(&self, arguments: &'static [Local]) -> [State; STATES] {
        let mut states = [State::new(self.name, 0, "", (self.file, 0, 0), &[]); STATES];
        let mut index = 0;
        while index < STATES {
            let (name, line, column) = self.states[index];
            states[index].index = index;
            states[index].name = name;
            states[index].line = line;
            states[index].column = column;
            index += 1;
        }
        states[0].locals = arguments;
        states
    }

    const fn own(&self) -> [State; 3] {
        let (_, line, column) = self.states[0];
        own(self.name, self.file, STATES - 1, (line, column))
    }
}

/// Locals, each by its name and its type.
const fn locals<const N: usize>(pairs: [(&'static str, &'static str); N]) -> [Local; N] {
    let mut locals = [Local::new("", ""); N];
    let mut index = 0;
    while index < N {
        let (name, ty) = pairs[index];
        locals[index] = Local::new(name, ty);
        index += 1;
    }
    locals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::layout::Storage;

    struct Fetch;

    impl Table for Fetch {
        type Rows = NativeRows<4, 2, 3>;

        const ROWS: Self::Rows = NativeRows {
            name: "Fetch",
            file: "fetch.rs",
            states: [
                ("start", 4, 14),
                ("await leaf", 4, 62),
                ("Waits", 10, 7),
                ("done", 4, 14),
            ],
            arguments: [("a", "u32"), ("b", "&'b str")],
            steps: [(0, 1), (1, 2), (2, 3)],
            layout: Layout::Native {
                why: "asked for",
                line: 3,
                storage: Storage::Inline,
            },
        };
    }

    #[test]
    fn tables_hold_what_is_written() {
        let tables = Fetch::TABLES;
        let rows = tables.states.iter().map(|state| {
            assert_eq!((state.machine, state.file), ("Fetch", "fetch.rs"));
            (state.index, state.name, state.line, state.column)
        });
        let expected = [
            (0, "start", 4, 14),
            (1, "await leaf", 4, 62),
            (2, "Waits", 10, 7),
            (3, "done", 4, 14),
        ];
        assert!(rows.eq(expected));
        let kept: Vec<_> = tables
            .states
            .iter()
            .map(|state| state.locals.len())
            .collect();
        assert_eq!(kept, [2, 0, 0, 0]);
        let kept = tables.states[0].locals;
        assert_eq!(kept, [Local::new("a", "u32"), Local::new("b", "&'b str")]);
        let steps = tables.transitions.iter().map(|step| (step.from, step.to));
        assert!(steps.eq([(0, 1), (1, 2), (2, 3)]));
        assert_eq!((tables.own[0].index, tables.own[0].line), (4, 4));
        assert_eq!((tables.own[1].index, tables.own[1].name), (5, "poisoned"));
    }
}
