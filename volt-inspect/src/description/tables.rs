//! The tables of a machine, in one constant.

use super::layout::Layout;
use super::state::{State, Transition};

/// The tables of a machine; expanded code writes them.
///
/// They are one constant, because the compiler checks each constant of each machine as a body of
/// its own.
#[derive(Clone, Copy, Debug)]
pub struct Tables {
    /// The name of the machine's type.
    pub name: &'static str,
    /// Every state.
    pub states: &'static [State],
    /// The states that are no index of `states`: the machine runs, it has panicked, or it waits at
    /// an unknown await.
    pub own: &'static [State; 3],
    /// Every step.
    pub transitions: &'static [Transition],
    /// The layout of the machine.
    pub layout: Layout,
}

impl Tables {
    /// The tables of a machine that is implemented by hand.
    pub(crate) const NONE: &'static Self = &Self {
        name: "",
        states: &[],
        own: &own("", "", 0, (0, 0)),
        transitions: &[],
        layout: Layout::Explicit,
    };
}

/// Returns the states that are not in the source: the machine runs, it has panicked, or it waits at
/// an unknown await.
#[must_use]
pub const fn own(
    machine: &'static str,
    file: &'static str,
    done: usize,
    (line, column): (u32, u32),
) -> [State; 3] {
    let place = (file, line, column);
    [
        State::new(machine, done + 1, "running", place, &[]),
        State::new(machine, done + 2, "poisoned", place, &[]),
        State::new(machine, done + 3, "waiting", place, &[]),
    ]
}

/// Returns the steps of a machine, each from the indices of its ends.
#[must_use]
pub const fn steps<const N: usize>(pairs: [(usize, usize); N]) -> [Transition; N] {
    let mut steps = [Transition::new(0, 0); N];
    let mut index = 0;
    while index < N {
        steps[index] = Transition::new(pairs[index].0, pairs[index].1);
        index += 1;
    }
    steps
}
