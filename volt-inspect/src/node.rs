//! `Node`: the description of one future in a tree.

use core::any::type_name;
use core::fmt;
use core::panic::Location;

use crate::description::{State, Tables};
use crate::status::Status;

/// A place in the source code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Place {
    /// The file.
    pub file: &'static str,
    /// The line, counted from one.
    pub line: u32,
    /// The column, counted from one.
    pub column: u32,
}

impl Place {
    /// Returns a place.
    #[must_use]
    pub const fn new(file: &'static str, line: u32, column: u32) -> Self {
        Self { file, line, column }
    }
}

impl From<&'static Location<'static>> for Place {
    fn from(location: &'static Location<'static>) -> Self {
        Self::new(location.file(), location.line(), location.column())
    }
}

impl fmt::Display for Place {
    /// Writes `src/index.rs:33:24`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// The description of one future.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Node {
    /// The name of the type, without its path if the type implements [`Inspect`](crate::Inspect):
    /// `Race`.
    pub kind: &'static str,
    /// The current step of the future, such as `await lock`. It is empty if there is only one.
    pub label: &'static str,
    /// The place of that step.
    pub place: Option<Place>,
    /// The status that the future itself knows. A parent that knows more overrides it.
    pub status: Status,
    /// The local variable of the parent that stores the future, if the current step of the parent
    /// does not poll it. Empty for all other futures. The [`Inspector`](crate::Inspector) sets it.
    pub local: &'static str,
    /// `false` if the type does not implement [`Inspect`](crate::Inspect), so that the futures in
    /// it are unknown.
    pub is_inspected: bool,
    /// The state of a machine.
    #[doc(hidden)]
    pub state: Option<&'static State>,
    /// The states and transitions of a machine.
    #[doc(hidden)]
    pub tables: Option<&'static Tables>,
    /// `true` if the position of a task continues in the future inside, as in that of a timeout.
    #[doc(hidden)]
    pub is_wrapper: bool,
}

impl Node {
    /// Returns the description of a future by the name of its type.
    #[must_use]
    pub const fn new(kind: &'static str) -> Self {
        Self {
            kind,
            label: "",
            place: None,
            status: Status::Waiting,
            local: "",
            is_inspected: true,
            state: None,
            tables: None,
            is_wrapper: false,
        }
    }

    /// Returns the description of a future whose type does not implement
    /// [`Inspect`](crate::Inspect).
    #[must_use]
    pub(crate) fn opaque<F: ?Sized>() -> Self {
        Self::unknown(type_name::<F>())
    }

    /// Returns the description of a future of a type with this name, which does not implement
    /// [`Inspect`](crate::Inspect).
    #[must_use]
    pub(crate) const fn unknown(name: &'static str) -> Self {
        Self {
            is_inspected: false,
            ..Self::new(name)
        }
    }

    /// Returns the description of a machine in a state.
    #[doc(hidden)]
    #[must_use]
    pub fn of_state(state: &'static State) -> Self {
        let place = Place::new(state.file, state.line, state.column);
        let status = match state.name {
            "start" if state.index == 0 => Status::NotStarted,
            "done" => Status::Done,
            "poisoned" => Status::Gone,
            _ => Status::Waiting,
        };
        Self {
            state: Some(state),
            ..Self::new(state.machine)
                .label(state.name)
                .place(place)
                .status(status)
        }
    }

    /// Sets the states and transitions of a machine.
    #[doc(hidden)]
    #[must_use]
    pub const fn tables(mut self, tables: &'static Tables) -> Self {
        self.tables = Some(tables);
        self
    }

    /// Marks the future as a wrapper of one other future.
    #[doc(hidden)]
    #[must_use]
    pub const fn wrapper(mut self) -> Self {
        self.is_wrapper = true;
        self
    }

    /// Sets the current step of the future.
    #[must_use]
    pub const fn label(mut self, label: &'static str) -> Self {
        self.label = label;
        self
    }

    /// Sets the place of the current step.
    #[must_use]
    pub const fn place(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Sets the status that the future knows.
    #[must_use]
    pub const fn status(mut self, status: Status) -> Self {
        self.status = status;
        self
    }
}

impl fmt::Display for Node {
    /// Writes `Fetch at await lock, src/index.rs:33:24`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind)?;
        if !self.label.is_empty() {
            write!(f, " at {}", self.label)?;
        }
        if let Some(place) = &self.place {
            write!(f, ", {place}")?;
        }
        Ok(())
    }
}
