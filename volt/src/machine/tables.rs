//! What a machine tells of itself, in one constant.

use super::layout::Layout;
use super::state::{State, Transition};

/// The tables of a machine; expanded code writes them.
///
/// One constant holds them all, because the compiler checks each constant of each machine as a body of
/// its own.
#[derive(Clone, Copy, Debug)]
pub struct Tables {
    /// The name of the machine's type.
    pub name: &'static str,
    /// Every state.
    pub states: &'static [State],
    /// The states that a machine is in without being at one of those: it runs, it has panicked, or it waits nobody knows where.
    pub own: &'static [State; 3],
    /// Every step.
    pub transitions: &'static [Transition],
    /// How the machine is kept.
    pub layout: Layout,
}

impl Tables {
    /// Those of a machine that tells nothing.
    pub(super) const NONE: &'static Self = &Self {
        name: "",
        states: &[],
        own: &own("", "", 0, (0, 0)),
        transitions: &[],
        layout: Layout::Explicit,
    };
}

/// The states that are none of the source: the machine runs, it has panicked, or it waits at an await that is not known.
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

/// The steps of a machine, each by the numbers of its ends.
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
