//! What is known of each local where the next statement will stand.

use super::ty::Ty;

/// Whether a local has a value.
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
    /// What is lent to the function; whether it may change it.
    pub(crate) lent: Option<bool>,
    /// Whether no type is written, so that it cannot cross an await.
    pub(crate) untyped: bool,
    pub(crate) now: Now,
}

/// The part that changes from statement to statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Now {
    pub(crate) state: State,
    /// Whether it had a value on some way here.
    pub(crate) ever: bool,
    /// Whether an await lies between the declaration and here.
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

/// What is known of all locals in scope.
pub(crate) type Snapshot = Vec<Now>;

/// Where two ways meet, if there are two.
pub(crate) fn join(a: Option<Snapshot>, b: Option<Snapshot>) -> Option<Snapshot> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.into_iter().zip(b).map(|(a, b)| a.join(b)).collect()),
        (a, b) => a.or(b),
    }
}
