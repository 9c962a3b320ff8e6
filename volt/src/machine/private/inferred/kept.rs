//! What a machine tells of itself: written in plain lists, and told by its tag.

use super::advance::Inferred;
use super::drive;
use super::fallback::layout;
use super::parts::Parts;
use crate::machine::layout::Layout;
use crate::machine::private::native::{Rows, Table, locals};
use crate::machine::says::{Expanded, How};
use crate::machine::state::{Local, State};
use crate::machine::tables::{Tables, own, steps};
use crate::machine::told::Told;

/// What expanded code writes of a machine.
#[derive(Clone, Copy, Debug)]
pub struct Kept<const STATES: usize, const LOCALS: usize, const STEPS: usize> {
    /// The name of the machine's type.
    pub name: &'static str,
    /// The source file of the function.
    pub file: &'static str,
    /// The name of each state, its line, its column, and how many locals it keeps.
    pub states: [(&'static str, u32, u32, usize); STATES],
    /// The names and types of what the first state keeps, of what the second one does, and so on.
    pub locals: [(&'static str, &'static str); LOCALS],
    /// The numbers of the ends of each step.
    pub steps: [(usize, usize); STEPS],
    /// Whether the runtime was told of the type; none where the type has parameters, and so no static of its own.
    pub told: Option<&'static Told>,
}

impl<T, const STATES: usize, const LOCALS: usize, const STEPS: usize> Rows<T>
    for Kept<STATES, LOCALS, STEPS>
where
    T: Table<Written = Self>,
{
    const LOCALS: &'static [Local] = &locals(T::WRITTEN.locals);

    const TOLD: Option<&'static Told> = T::WRITTEN.told;

    const TABLES: &'static Tables = &Tables {
        name: T::WRITTEN.name,
        states: &T::WRITTEN.states(<Self as Rows<T>>::LOCALS),
        own: &T::WRITTEN.own(),
        transitions: &steps(T::WRITTEN.steps),
        layout: Layout::Explicit,
    };
}

impl<const STATES: usize, const LOCALS: usize, const STEPS: usize> Kept<STATES, LOCALS, STEPS> {
    const fn states(&self, mut locals: &'static [Local]) -> [State; STATES] {
        let mut states = [State::new(self.name, 0, "", (self.file, 0, 0), &[]); STATES];
        let mut index = 0;
        while index < STATES {
            let (name, line, column, kept) = self.states[index];
            let (own, others) = locals.split_at(kept);
            states[index] = State::new(self.name, index, name, (self.file, line, column), own);
            locals = others;
            index += 1;
        }
        states
    }

    const fn own(&self) -> [State; 3] {
        let (_, line, column, _) = self.states[0];
        own(self.name, self.file, STATES - 1, (line, column))
    }
}

/// A machine that says by its tag where it stands.
#[derive(Debug)]
pub struct ByTag;

impl Expanded for ByTag {}

impl<M: Inferred> How<M> for ByTag {
    const TABLES: &'static Tables = &Tables {
        layout: layout::<M::Static>(<M as Table>::TABLES.own[0].line),
        ..*<M as Table>::TABLES
    };
    const NATIVE_SIZE: Option<usize> = Some(<M::Static as Parts>::SIZE_OF_TWIN);

    unsafe fn state(machine: &M) -> &'static State {
        drive::state(machine)
    }

    unsafe fn trace(machine: &M, visit: &mut dyn FnMut(&'static State)) {
        drive::trace(machine, visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fetch;

    impl Table for Fetch {
        type Written = Kept<4, 3, 2>;

        const WRITTEN: Self::Written = Kept {
            name: "Fetch",
            file: "fetch.rs",
            states: [
                ("start", 4, 14, 1),
                ("await leaf", 5, 62, 0),
                ("Waits", 10, 7, 2),
                ("done", 4, 14, 0),
            ],
            locals: [("a", "u32"), ("b", "&'b str"), ("a", "u32")],
            steps: [(0, 1), (1, 3)],
            told: None,
        };
    }

    #[test]
    fn tables_hold_what_is_written() {
        let tables = Fetch::TABLES;
        let rows = tables.states.iter().map(|state| {
            assert_eq!((state.machine, state.file), ("Fetch", "fetch.rs"));
            let locals: Vec<_> = state.locals.iter().map(|local| local.name).collect();
            (state.index, state.name, state.line, state.column, locals)
        });
        let expected = [
            (0, "start", 4, 14, vec!["a"]),
            (1, "await leaf", 5, 62, vec![]),
            (2, "Waits", 10, 7, vec!["b", "a"]),
            (3, "done", 4, 14, vec![]),
        ];
        assert!(rows.eq(expected));
        let steps = tables.transitions.iter().map(|step| (step.from, step.to));
        assert!(steps.eq([(0, 1), (1, 3)]));
        assert_eq!((tables.own[0].index, tables.own[0].line), (4, 4));
        assert_eq!(tables.layout, Layout::Explicit);
    }
}
