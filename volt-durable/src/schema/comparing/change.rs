//! `Change`: a change between two builds, and its effect on stored machines.

use std::fmt;

use serde::Serialize;

/// The effect of a change on the machines that the older build has stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// The machines continue.
    Loads,
    /// The machines stay in the store until a worker runs that knows their type and state.
    Waits,
    /// Machines with some values cannot be read, and are parked.
    Depends,
    /// The machines cannot be read, and are parked.
    Parks,
}

impl Effect {
    /// Returns the name, for example `loads`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loads => "loads",
            Self::Waits => "waits",
            Self::Depends => "depends",
            Self::Parks => "parks",
        }
    }
}

/// A change between two builds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// The effect on stored machines.
    pub effect: Effect,
    /// The name of the machine's type.
    pub machine: String,
    /// The name of the state, if the change is in one.
    pub state: Option<String>,
    /// The names of the local and of the fields in it, if the change is in a local.
    pub path: Option<String>,
    /// The change.
    pub text: String,
    /// The code that makes stored machines load, if there is one.
    pub help: Option<String>,
}

/// Writes the change on one line, and the help on a second one.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:8}{}", self.effect.name(), self.machine)?;
        if let Some(state) = &self.state {
            write!(f, ", state `{state}`")?;
        }
        if let Some(path) = &self.path {
            write!(f, ", `{path}`")?;
        }
        write!(f, ": {}", self.text)?;
        if let Some(help) = &self.help {
            write!(f, "\n        help: {help}")?;
        }
        Ok(())
    }
}
