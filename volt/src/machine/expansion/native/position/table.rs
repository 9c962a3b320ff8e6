//! The tables of a native machine, built from plain lists.
//!
//! The compiler checks each expression of each machine, and evaluates each constant that its code
//! names. So expansions have few of them. The code that builds the tables is generic over the
//! machine, and `cargo check` does not evaluate it.

use crate::machine::expansion::size_report::FieldOffsets;
use volt_inspect::machine::Layout;
use volt_inspect::machine::RegisterOnce;
use volt_inspect::machine::{Local, State};
use volt_inspect::machine::{Tables, own};

/// The tables of a machine, as a type of size zero without parameters.
pub trait Table: Sized {
    /// The type of the lists.
    type Rows: BuildTables<Self>;

    /// The lists, which expanded code writes.
    const ROWS: Self::Rows;

    /// The names of the locals that `pin!` binds.
    const PINNED: &'static [&'static str] = &[];
    /// `true` if macros of the body await, which the attribute does not see.
    const HIDES_AWAITS: bool = false;

    /// The tables.
    const TABLES: &'static Tables = <Self::Rows as BuildTables<Self>>::TABLES;
}

/// Returns the tables of a machine. It is a function, because `cargo check` would evaluate a
/// constant.
#[must_use]
pub const fn tables<T: Table>() -> &'static Tables {
    T::TABLES
}

/// The lists of a native machine.
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
    /// The indices of the ends of each step.
    pub steps: [(usize, usize); STEPS],
    /// The layout of the machine.
    pub layout: Layout,
}

/// Lists from which tables are built.
pub trait BuildTables<T> {
    /// The locals that are stored in any state.
    const LOCALS: &'static [Local];

    /// The registration of the machine's type, if it has a static for that.
    const REGISTER_ONCE: Option<&'static RegisterOnce> = None;

    /// The offsets of the fields, if they are known.
    const OFFSETS: FieldOffsets = FieldOffsets::NONE;

    /// The tables.
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
        transitions: &volt_inspect::machine::steps(T::ROWS.steps),
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

/// Returns locals, each from its name and its type.
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
    use volt_inspect::machine::Storage;

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
    fn tables_contain_the_written_rows() {
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
        let counts: Vec<_> = tables
            .states
            .iter()
            .map(|state| state.locals.len())
            .collect();
        assert_eq!(counts, [2, 0, 0, 0]);
        let kept = tables.states[0].locals;
        assert_eq!(kept, [Local::new("a", "u32"), Local::new("b", "&'b str")]);
        let steps = tables.transitions.iter().map(|step| (step.from, step.to));
        assert!(steps.eq([(0, 1), (1, 2), (2, 3)]));
        assert_eq!((tables.own[0].index, tables.own[0].line), (4, 4));
        assert_eq!((tables.own[1].index, tables.own[1].name), (5, "poisoned"));
    }
}
