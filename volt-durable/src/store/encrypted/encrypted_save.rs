//! The encrypted form of a save and of a new machine.

use super::cipher::{Cipher, ValueKind};
use super::envelope::encrypted;
use crate::error::{Error, Result};
use crate::store::new_machine::NewMachine;
use crate::store::save::{Continuation, Save};

/// Encrypts the values of a save.
pub(super) fn encrypted_save(cipher: &dyn Cipher, save: &Save) -> Result<Save> {
    let mut save = save.clone();
    save.snapshot =
        encrypted(cipher, ValueKind::Snapshot, &save.snapshot).map_err(Error::Cipher)?;
    for child in &mut save.family.started {
        child.machine = encrypted_machine(cipher, &child.machine)?;
    }
    if let Continuation::Ends { outcome } = &mut save.then {
        *outcome = encrypted(cipher, ValueKind::Outcome, outcome).map_err(Error::Cipher)?;
    }
    Ok(save)
}

/// Encrypts the snapshot of a new machine.
pub(super) fn encrypted_machine(cipher: &dyn Cipher, new: &NewMachine) -> Result<NewMachine> {
    Ok(NewMachine {
        snapshot: encrypted(cipher, ValueKind::Snapshot, &new.snapshot).map_err(Error::Cipher)?,
        ..new.clone()
    })
}
