//! `Schema`: the machines of a build, and the file that a test compares with it.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::comparing::{Change, changes};
use super::machine_schema::MachineSchema;
use crate::machine::Durable;

/// The variable that makes [`Schema::assert_file`] write the file.
const VARIABLE: &str = "VOLT_DURABLE_SCHEMA";

/// The states of a build's machines, and the values that they store.
///
/// It has the names and forms that `Deserialize` of the machines expects, so it also shows changes
/// of types in other crates. It does not have the values of messages, and not the meaning of a
/// value: a local that counts seconds instead of minutes has the same form.
///
/// # Examples
///
/// ```no_run
/// use volt_durable::{Schema, signal};
///
/// #[volt::state_machine(derive(Serialize, Deserialize))]
/// async fn ship(order: u64) -> String {
///     #[state(WaitingForTruck)]
///     let truck: String = signal("truck").await;
///     format!("{order}: {truck}")
/// }
///
/// // In a test:
/// Schema::new().machine::<Ship>().assert_file("durable-schema.json");
/// # let _ = ship;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schema {
    machines: BTreeMap<String, MachineSchema>,
}

impl Schema {
    /// Creates a schema without machines.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a type of machines.
    ///
    /// # Panics
    ///
    /// Panics if serde does not read the type as an enum of its states.
    #[must_use]
    pub fn machine<M: Durable>(mut self) -> Self {
        let (name, machine) = MachineSchema::of::<M>();
        self.machines.insert(name, machine);
        self
    }

    /// Reads a schema from the text of its file.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is no schema.
    pub fn from_json(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }

    /// Returns the text of the file. It has a stable order and ends with a line feed.
    ///
    /// # Errors
    ///
    /// Returns an error if the schema cannot be written.
    pub fn to_json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Returns the changes from an older schema to this one, the worst first.
    ///
    /// With `self` and `old` exchanged, they are the effects on machines that the new build stores
    /// while workers of the old build still run.
    #[must_use]
    pub fn changes_since(&self, old: &Self) -> Vec<Change> {
        changes(&old.machines, &self.machines)
    }

    /// Compares the schema with a file, whose path is relative to the package of the test.
    ///
    /// With the variable `VOLT_DURABLE_SCHEMA=update`, it writes the file instead.
    ///
    /// # Panics
    ///
    /// Panics if the file has another schema or does not exist. The text has each change and its
    /// effect on stored machines.
    #[track_caller]
    pub fn assert_file(&self, path: impl AsRef<Path>) {
        let is_updated = std::env::var(VARIABLE).is_ok_and(|value| value == "update");
        if let Err(text) = self.compare(path.as_ref(), is_updated) {
            panic!("{text}");
        }
    }

    /// Writes the file, or returns the text of its differences.
    fn compare(&self, path: &Path, is_updated: bool) -> Result<(), String> {
        let shown = path.display();
        let text = self.to_json().map_err(|error| error.to_string())?;
        if is_updated {
            return fs::write(path, text).map_err(|error| format!("{shown}: {error}"));
        }
        let help = format!("help: write the file by `{VARIABLE}=update cargo test`");
        let stored = match fs::read_to_string(path) {
            Ok(stored) => stored,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(format!("there is no schema file {shown}\n{help}"));
            }
            Err(error) => return Err(format!("{shown}: {error}")),
        };
        let old = Self::from_json(&stored)
            .map_err(|error| format!("{shown} is no schema: {error}\n{help}"))?;
        if old == *self {
            return Ok(());
        }
        let changes = self.changes_since(&old);
        let lines: Vec<String> = changes.iter().map(ToString::to_string).collect();
        let lines = match lines.is_empty() {
            true => "loads   only names of types have changed".to_owned(),
            false => lines.join("\n"),
        };
        Err(format!(
            "the stored machines of {shown} differ from those of this build\n{lines}\n{help}"
        ))
    }
}
