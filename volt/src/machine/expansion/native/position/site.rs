//! The sites of a machine: its awaits, and its stages as sites that no await has.

use super::position_store::{Trace, no_trace};
use super::table::Table;
use volt_inspect::machine::State;

/// One await of a coroutine. Debuggers read the state, which is first.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Site {
    /// The state of the machine.
    pub(crate) state: &'static State,
    /// The function that continues a trace in the awaited future.
    pub(crate) trace: Trace,
    /// The number of branches, if the distance is that of the branches of a macro, or zero.
    pub(crate) branches: usize,
}

impl Site {
    /// Returns the site of a macro that may await, at which a trace ends.
    pub(crate) const fn of_macro<T: Table, const INDEX: usize>() -> Self {
        Self {
            state: &T::TABLES.states[INDEX],
            trace: no_trace,
            branches: 0,
        }
    }
}

/// Defines stages as sites that no await has.
macro_rules! stages {
    ($($(#[$doc:meta])* $NAME:ident)*) => { $(
        $(#[$doc])*
        pub(super) static $NAME: Site = Site {
            state: &State::new("", usize::MAX, stringify!($NAME), ("", 0, 0), &[]),
            trace: no_trace,
            branches: 0,
        };
    )* };
}

stages! {
    /// The coroutine has returned.
    DONE
    /// A poll has panicked.
    POISONED
    /// The coroutine runs, and has reached no await yet.
    RUNNING
}
