//! A machine in a file.

use std::error::Error;
use std::fs::{self, File};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Writes the machine to a second file, which replaces the first one. So the file has either the
/// old machine or the new one.
pub(crate) fn save(file: &Path, machine: &impl Serialize) -> Result<(), Box<dyn Error>> {
    let new = file.with_extension("new");
    let written = File::create(&new)?;
    serde_json::to_writer(&written, machine)?;
    written.sync_all()?;
    fs::rename(new, file)?;
    Ok(())
}

/// Reads a machine. If that fails, the file stays as it is.
pub(crate) fn load<M: DeserializeOwned>(file: &Path) -> Result<M, Box<dyn Error>> {
    let text = fs::read_to_string(file)?;
    Ok(serde_json::from_str(&text)?)
}

/// Removes the file of a machine that has returned.
pub(crate) fn remove(file: &Path) -> Result<(), Box<dyn Error>> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}
