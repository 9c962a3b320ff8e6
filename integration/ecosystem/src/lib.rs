//! Programs on volt that use the ecosystem's large libraries.
//!
//! | module | program | what it shows |
//! | --- | --- | --- |
//! | `notes` | `notes` | an axum service with SQLite by sqlx, and reqwest as its client |
//! | `relay` | `relay` | WebSockets over TLS by rustls, every message to all others |
//! | `echo` | `echo` | gRPC by tonic, one answer and many |
//!
//! Each is a feature of the same name. `benches/hyper` needs none of them.
#![forbid(unsafe_code)]

#[cfg(feature = "echo")]
pub mod echo;
#[cfg(feature = "notes")]
pub mod notes;
#[cfg(feature = "relay")]
pub mod relay;

/// The blocks of the book's page about these programs.
#[cfg(all(doctest, feature = "echo", feature = "notes", feature = "relay"))]
#[doc = include_str!("../../../book/src/ecosystem.md")]
mod page {}
