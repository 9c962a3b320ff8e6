//! `NewMachine`: a machine that is started.

use crate::machine_id::MachineId;

/// A machine that is started: its address, and its first snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMachine {
    /// The name of the machine's type.
    pub machine_type: String,
    /// The key, which is unique among the machines of the type.
    pub key: String,
    /// The name of the state.
    pub state: String,
    /// The snapshot, as JSON.
    pub snapshot: String,
}

/// The result of a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Started {
    /// The machine with this type and key.
    pub id: MachineId,
    /// `true` if this call has created the machine.
    pub is_new: bool,
}
