//! `Family`: the parent and the children of a machine, as parts of its saves.

use serde_json::json;

use super::new_machine::NewMachine;
use crate::machine_id::MachineId;

/// The name and the id of the message that requests the cancellation of a machine.
pub const CANCEL: &str = "volt.cancel";

/// The first part of the key of each child.
pub(crate) const CHILD_KEY: &str = "volt.child/";

/// The parent of a machine, and the changes of its children. They are parts of a save.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Family {
    /// The parent of the machine, as in its [`Claimed`](super::Claimed).
    pub parent: Option<MachineId>,
    /// The children that the save starts.
    pub started: Vec<NewChild>,
    /// The keys of the children that the machine no longer awaits.
    pub dropped: Vec<String>,
}

/// A child that a save starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewChild {
    /// The machine. Its key is unique among all children of the store.
    pub machine: NewMachine,
    /// `true` if the child runs on when its parent no longer awaits it.
    pub is_detached: bool,
}

/// A message to the parent of a machine. Its id is its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildReport {
    /// The name, which depends on the key of the child.
    pub name: String,
    /// The value, as JSON.
    pub body: String,
}

impl ChildReport {
    /// Creates the report of a child that has returned. `outcome` is JSON.
    #[must_use]
    pub fn done(key: &str, outcome: &str) -> Self {
        Self {
            name: key.to_owned(),
            body: format!("{{\"done\":{outcome}}}"),
        }
    }

    /// Creates the report of a child that was cancelled by [`Store::cancel`](super::Store::cancel).
    #[must_use]
    pub fn cancelled(key: &str) -> Self {
        Self {
            name: key.to_owned(),
            body: "\"cancelled\"".to_owned(),
        }
    }

    /// Creates the report of a child that is parked with an error.
    #[must_use]
    pub fn parked(key: &str, error: &str) -> Self {
        Self {
            name: Self::name_of_parked(key),
            body: json!(error).to_string(),
        }
    }

    /// Returns the name of the report of a parked child.
    pub(crate) fn name_of_parked(key: &str) -> String {
        format!("{key}/parked")
    }
}
