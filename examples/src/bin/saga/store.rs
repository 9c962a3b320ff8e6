//! A machine in a file.

use std::error::Error;
use std::fs::{self, File};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use volt::machine::StepDriver;

/// The contents of a file.
#[derive(Serialize, Deserialize)]
struct StoredMachine {
    next_step: u64,
    snapshot: Value,
}

/// Writes the snapshot to a second file, which replaces the first one. So the file has either the
/// old snapshot or the new one.
pub(crate) fn save(file: &Path, driver: &StepDriver<Value>) -> Result<(), Box<dyn Error>> {
    let stored = StoredMachine {
        next_step: driver.next_step(),
        snapshot: driver.snapshot().cloned().unwrap_or_default(),
    };
    let new = file.with_extension("new");
    let written = File::create(&new)?;
    serde_json::to_writer(&written, &stored)?;
    written.sync_all()?;
    fs::rename(new, file)?;
    Ok(())
}

/// Reads a machine, and returns it with its driver. If that fails, the file stays as it is.
pub(crate) fn load<M: DeserializeOwned>(
    file: &Path,
) -> Result<(M, StepDriver<Value>), Box<dyn Error>> {
    let text = fs::read_to_string(file)?;
    let stored: StoredMachine = serde_json::from_str(&text)?;
    let machine = M::deserialize(&stored.snapshot)?;
    Ok((
        machine,
        StepDriver::resume(stored.snapshot, stored.next_step),
    ))
}

/// Removes the file of a machine that has returned.
pub(crate) fn remove(file: &Path) -> Result<(), Box<dyn Error>> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}
