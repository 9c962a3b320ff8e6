//! The error of stores, workers and clients.

use std::error::Error as StdError;
use std::fmt;

use crate::machine_id::MachineId;

/// The result of a store, a worker or a client.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of a store, a worker or a client.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The database has failed. The outcome of the operation is unknown if it writes: it was
    /// stored as a whole or not at all.
    Store(Box<dyn StdError + Send + Sync>),
    /// A machine, a message or an outcome cannot be written or read.
    Json(serde_json::Error),
    /// There is no machine with this type and key.
    NoMachine {
        /// The name of the machine's type.
        machine_type: String,
        /// The key.
        key: String,
    },
    /// The machine was cancelled, so it has no outcome.
    Cancelled(MachineId),
    /// A value cannot be encrypted. Nothing was stored.
    Cipher(Box<dyn StdError + Send + Sync>),
    /// The outcome of the machine is encrypted, and the client has no cipher or another key.
    Encrypted(MachineId),
    /// A `Deserialize` implementation has panicked with a sample value, by which a worker finds the
    /// resources of a machine. The worker runs, and may not have found all of them.
    Sample {
        /// The name of the machine's type.
        machine_type: String,
        /// The text of the panic.
        text: String,
    },
    /// An attempt of a machine has failed. The row has the same text.
    Attempt {
        /// The machine.
        id: MachineId,
        /// The error.
        text: String,
        /// `true` if the machine is parked now. Otherwise another attempt follows.
        is_parked: bool,
    },
}

impl Error {
    /// Creates the error of a database.
    pub fn store(error: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::Store(error.into())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(_) => f.write_str("the store has failed"),
            Self::Json(_) => f.write_str("a value cannot be written or read as JSON"),
            Self::NoMachine { machine_type, key } => {
                write!(f, "no machine of type `{machine_type}` has the key `{key}`")
            }
            Self::Cancelled(id) => write!(f, "machine {id} was cancelled"),
            Self::Cipher(_) => f.write_str("a value cannot be encrypted, so nothing was stored"),
            Self::Encrypted(id) => write!(
                f,
                "the outcome of machine {id} cannot be decrypted: the client needs an \
                 `EncryptedStore` with the key of the worker"
            ),
            Self::Sample { machine_type, text } => write!(
                f,
                "`Deserialize` of a value of machine `{machine_type}` has panicked with a sample, \
                 by which the worker finds each `Res`: {text}\n\
                 help: return an error for a value that it rejects"
            ),
            Self::Attempt {
                id,
                text,
                is_parked: true,
            } => write!(f, "machine {id} is parked: {text}"),
            Self::Attempt { id, text, .. } => {
                write!(f, "an attempt of machine {id} has failed: {text}")
            }
        }
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Store(error) | Self::Cipher(error) => Some(&**error),
            Self::Json(error) => Some(error),
            Self::NoMachine { .. }
            | Self::Cancelled(_)
            | Self::Encrypted(_)
            | Self::Sample { .. }
            | Self::Attempt { .. } => None,
        }
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error)
    }
}
