//! The state of each local before the next statement.

use super::super::ty::Ty;

/// The initialization of a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    There,
    Gone,
    /// On some ways here it has.
    Unsure,
}

/// A name in scope.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub(crate) name: String,
    pub(crate) ty: Ty,
    pub(crate) mutable: bool,
    /// `Some` if the local is a borrowed argument; `true` if the function may change it.
    pub(crate) borrowed: Option<bool>,
    /// `true` if the local has no written type, so that it cannot be live across an await.
    pub(crate) untyped: bool,
    pub(crate) now: Now,
}

/// The part that changes from statement to statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Now {
    pub(crate) state: State,
    /// `true` if it had a value on some path to this place.
    pub(crate) ever: bool,
    /// `true` if an await is between the declaration and this place.
    pub(crate) crossed: bool,
}

impl Now {
    pub(crate) fn there() -> Self {
        Self {
            state: State::There,
            ever: true,
            crossed: false,
        }
    }

    /// Where two ways meet.
    pub(crate) fn join(self, other: Self) -> Self {
        Self {
            state: if self.state == other.state {
                self.state
            } else {
                State::Unsure
            },
            ever: self.ever || other.ever,
            crossed: self.crossed || other.crossed,
        }
    }
}

/// The states of all locals in scope.
pub(crate) type Snapshot = Vec<Now>;

/// Where two ways meet, if there are two.
pub(crate) fn join(a: Option<Snapshot>, b: Option<Snapshot>) -> Option<Snapshot> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.into_iter().zip(b).map(|(a, b)| a.join(b)).collect()),
        (a, b) => a.or(b),
    }
}
