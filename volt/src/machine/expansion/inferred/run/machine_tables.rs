//! The tables of an explicit machine, built from plain lists, and read by its tag.

use core::pin::Pin;

use super::super::probe::{LayoutInfo, MachineLayout};
use super::advance::ExplicitMachine;
use super::drive;
use super::fallback::layout;
use crate::machine::expansion::native::{BuildTables, Table};
use crate::machine::expansion::size_report::FieldOffsets;
use volt_inspect::machine::Layout;
use volt_inspect::machine::RegisterOnce;
use volt_inspect::machine::{Accessor, ExpandedAccessor};
use volt_inspect::machine::{Local, PositionLayout, State};
use volt_inspect::machine::{Tables, own, steps};
use volt_inspect::{Inspector, MachineAccess};

/// Returns an array whose values are computed from their indices. A constant cannot call a closure.
macro_rules! array {
    ([$default:expr; $len:expr], |$index:ident| $value:expr) => {{
        let mut values = [$default; $len];
        let mut $index = 0;
        while $index < $len {
            values[$index] = $value;
            $index += 1;
        }
        values
    }};
}

/// The lists of an explicit machine.
#[derive(Clone, Copy, Debug)]
pub struct ExplicitRows<const STATES: usize, const LOCALS: usize, const STEPS: usize> {
    /// The name of the machine's type.
    pub name: &'static str,
    /// The source file of the function.
    pub file: &'static str,
    /// The name of each state, its line, its column, the number of its locals, and the field of its
    /// future, if any.
    pub states: [(&'static str, u32, u32, usize, usize); STATES],
    /// The names, types and fields of the locals of the first state, then of the second one, and so
    /// on.
    pub locals: [(&'static str, &'static str, usize); LOCALS],
    /// The indices of the ends of each step.
    pub steps: [(usize, usize); STEPS],
    /// The registration of the type. It is `None` if the type has parameters, because then it has
    /// no static of its own.
    pub register_once: Option<&'static RegisterOnce>,
}

impl<T, const STATES: usize, const LOCALS: usize, const STEPS: usize> BuildTables<T>
    for ExplicitRows<STATES, LOCALS, STEPS>
where
    T: Table<Rows = Self> + LayoutInfo,
{
    const LOCALS: &'static [Local] = &locals::<T, LOCALS>(T::ROWS.locals);

    const REGISTER_ONCE: Option<&'static RegisterOnce> = T::ROWS.register_once;

    const OFFSETS: FieldOffsets = FieldOffsets {
        futures: &T::ROWS.future_offsets::<T>(),
        locals: &T::ROWS.local_offsets::<T>(),
    };

    const TABLES: &'static Tables = &Tables {
        name: T::ROWS.name,
        states: &T::ROWS.states::<T>(<Self as BuildTables<T>>::LOCALS),
        own: &T::ROWS.own(),
        transitions: &steps(T::ROWS.steps),
        layout: Layout::Explicit,
    };
}

impl<const STATES: usize, const LOCALS: usize, const STEPS: usize>
    ExplicitRows<STATES, LOCALS, STEPS>
{
    const fn states<T: LayoutInfo>(&self, mut locals: &'static [Local]) -> [State; STATES] {
        let mut states = [State::new(self.name, 0, "", (self.file, 0, 0), &[]); STATES];
        let mut index = 0;
        while index < STATES {
            let (name, line, column, kept, future) = self.states[index];
            let (own, others) = locals.split_at(kept);
            states[index] = State::new(self.name, index, name, (self.file, line, column), own);
            states[index].future = size_of_field::<T>(future);
            locals = others;
            index += 1;
        }
        states
    }

    const fn future_offsets<T: LayoutInfo>(&self) -> [Option<usize>; STATES] {
        array!([None; STATES], |index| {
            offset_of_field::<T>(self.states[index].4)
        })
    }

    const fn local_offsets<T: LayoutInfo>(&self) -> [Option<usize>; LOCALS] {
        array!([None; LOCALS], |index| {
            offset_of_field::<T>(self.locals[index].2)
        })
    }

    const fn own(&self) -> [State; 3] {
        let (_, line, column, ..) = self.states[0];
        own(self.name, self.file, STATES - 1, (line, column))
    }
}

/// Returns locals, each from its name, its type and its field.
const fn locals<T: LayoutInfo, const N: usize>(
    rows: [(&'static str, &'static str, usize); N],
) -> [Local; N] {
    array!([Local::new("", ""); N], |index| {
        let (name, ty, field) = rows[index];
        let mut local = Local::new(name, ty);
        local.size = size_of_field::<T>(field);
        local
    })
}

/// Returns the size of a field, if the machine has fields and their sizes were measured.
const fn size_of_field<T: LayoutInfo>(field: usize) -> Option<usize> {
    let MachineLayout {
        sizes, fallback, ..
    } = T::RECURSIVE_MACHINE_NEEDS_BOX_PIN;
    if fallback.is_some() || field >= sizes.len() {
        return None;
    }
    Some(sizes[field].size)
}

/// Returns the offset of a field, if the machine has fields.
const fn offset_of_field<T: LayoutInfo>(field: usize) -> Option<usize> {
    let MachineLayout {
        offsets, fallback, ..
    } = T::RECURSIVE_MACHINE_NEEDS_BOX_PIN;
    if fallback.is_some() || field >= offsets.len() {
        return None;
    }
    Some(offsets[field])
}

/// Returns the offsets of the fields of a machine.
#[must_use]
pub const fn offsets<M: ExplicitMachine>() -> FieldOffsets {
    <M::Rows as BuildTables<M>>::OFFSETS
}

/// Returns the place of the state. The tag of a stored coroutine is no index of a state.
const fn position(layout: &MachineLayout, tables: &'static Tables) -> PositionLayout {
    let tag = layout.tag;
    #[cfg(target_has_atomic = "ptr")]
    if layout.shares_tag {
        return PositionLayout::Suspended {
            stage: tag,
            tag,
            tables,
            slots: &[],
        };
    }
    PositionLayout::Tag {
        offset: tag,
        tables,
    }
}

/// The accessor of a machine whose tag has the current state.
#[derive(Debug)]
pub struct TagAccessor;

impl ExpandedAccessor for TagAccessor {}

impl<M: ExplicitMachine> Accessor<M> for TagAccessor {
    const TABLES: &'static Tables = &Tables {
        layout: layout::<M::Static>(<M as Table>::TABLES.own[0].line),
        ..*<M as Table>::TABLES
    };
    const NATIVE_SIZE: Option<usize> = Some(<M::Static as LayoutInfo>::REFERENCE_SIZE);
    const POSITION: PositionLayout = position(
        &<M::Static as LayoutInfo>::RECURSIVE_MACHINE_NEEDS_BOX_PIN,
        <M as Table>::TABLES,
    );

    const ACCESS: Option<&'static dyn MachineAccess> =
        Some(const { &drive::ExplicitAccess::of::<M>() });

    unsafe fn state(machine: &M) -> &'static State {
        drive::state(machine)
    }

    unsafe fn trace(machine: &M, visit: &mut dyn FnMut(&'static State)) {
        drive::trace(machine, visit);
    }

    unsafe fn inspect(machine: Pin<&mut M>, inspector: &mut Inspector<'_>) {
        drive::inspect(machine, inspector);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::probe::Size;
    use super::*;

    struct Fetch;

    /// The number that no field has.
    const NONE: usize = usize::MAX;

    impl LayoutInfo for Fetch {
        const RECURSIVE_MACHINE_NEEDS_BOX_PIN: MachineLayout = MachineLayout {
            offsets: &[8, 16, 32],
            sizes: &[Size::of::<u32>(), Size::of::<&str>(), Size::of::<[u8; 3]>()],
            ..MachineLayout::NONE
        };
    }

    impl Table for Fetch {
        type Rows = ExplicitRows<4, 3, 2>;

        const ROWS: Self::Rows = ExplicitRows {
            name: "Fetch",
            file: "fetch.rs",
            states: [
                ("start", 4, 14, 1, NONE),
                ("await leaf", 5, 62, 0, 2),
                ("Waits", 10, 7, 2, 2),
                ("done", 4, 14, 0, NONE),
            ],
            locals: [("a", "u32", 0), ("b", "&'b str", 1), ("a", "u32", 0)],
            steps: [(0, 1), (1, 3)],
            register_once: None,
        };
    }

    #[test]
    fn tables_contain_the_written_rows() {
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
        let sizes = tables.states.iter().map(|state| {
            let locals: Vec<_> = state.locals.iter().map(|local| local.size).collect();
            (locals, state.future)
        });
        let words = Some(size_of::<&str>());
        let expected = [
            (vec![Some(4)], None),
            (vec![], Some(3)),
            (vec![words, Some(4)], Some(3)),
            (vec![], None),
        ];
        assert!(sizes.eq(expected));
        let offsets = <<Fetch as Table>::Rows as BuildTables<Fetch>>::OFFSETS;
        assert_eq!(offsets.futures, [None, Some(32), Some(32), None]);
        assert_eq!(offsets.locals, [Some(8), Some(16), Some(8)]);
        let steps = tables.transitions.iter().map(|step| (step.from, step.to));
        assert!(steps.eq([(0, 1), (1, 3)]));
        assert_eq!((tables.own[0].index, tables.own[0].line), (4, 4));
        assert_eq!(tables.layout, Layout::Explicit);
    }
}
