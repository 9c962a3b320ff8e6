//! `EncryptedStore`: a store whose values are encrypted by a function of the user.
//!
//! ```text
//! worker, client ── plain JSON ──▶ EncryptedStore ── {"$encrypted": ".."} ──▶ any store
//!                                        │
//!                                      Cipher
//! ```
//!
//! - `cipher` is the trait that the user implements.
//! - `envelope` encrypts a JSON text, and recognizes one that is encrypted.
//! - `encrypted_save` encrypts the values of a save.
//! - `encrypted_transaction` encrypts the save that a transaction commits.
//! - `encrypted_store` is the store.
//!
//! The messages that a store writes itself, such as that of a cancellation, are not encrypted. The
//! outcome in the message of a child is that of its save, so it is.

mod cipher;
mod envelope;
mod encrypted_save;
mod encrypted_transaction;
mod encrypted_store;

pub use cipher::{Cipher, CipherError, ValueKind};
pub use encrypted_store::EncryptedStore;
pub(crate) use envelope::is_encrypted;
