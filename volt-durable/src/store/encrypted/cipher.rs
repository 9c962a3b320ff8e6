//! `Cipher`: the functions that encrypt and decrypt the values of machines.

use std::error::Error;
use std::fmt;

/// The error of a cipher, such as that of a wrong key.
pub type CipherError = Box<dyn Error + Send + Sync>;

/// Encrypts and decrypts the values of machines, for an
/// [`EncryptedStore`](super::EncryptedStore).
///
/// A cipher should be authenticated, as AES-GCM is: [`decrypt`](Self::decrypt) must return an error
/// for a value of another key. The kind of the value should be its associated data, so that an
/// outcome cannot be stored as a snapshot. To change the key, write the number of the key before
/// the encrypted bytes, and keep the old keys for as long as values of them are stored.
pub trait Cipher: Send + Sync + 'static {
    /// Encrypts a value.
    ///
    /// # Errors
    ///
    /// Returns an error if the value cannot be encrypted. Nothing is stored then.
    fn encrypt(&self, kind: ValueKind, plain: &[u8]) -> Result<Vec<u8>, CipherError>;

    /// Decrypts a value that [`encrypt`](Self::encrypt) has returned.
    ///
    /// # Errors
    ///
    /// Returns an error if the value has another key, or was changed. The machine is parked with
    /// the text of the error.
    fn decrypt(&self, kind: ValueKind, encrypted: &[u8]) -> Result<Vec<u8>, CipherError>;
}

/// The kind of an encrypted value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ValueKind {
    /// The snapshot of a machine.
    Snapshot,
    /// The value of a message.
    Message,
    /// The output of a machine.
    Outcome,
}

impl ValueKind {
    /// Returns the name of the kind, for example as associated data.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Snapshot => "snapshot",
            Self::Message => "message",
            Self::Outcome => "outcome",
        }
    }
}

impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
