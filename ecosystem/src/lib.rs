//! Programs on volt that use the ecosystem's large libraries.
//!
//! | module | program | what it shows |
//! | --- | --- | --- |
//! | [`notes`] | `notes` | an axum service with SQLite by sqlx, and reqwest as its client |
//! | [`relay`] | `relay` | WebSockets over TLS by rustls, every message to all others |
//! | [`echo`] | `echo` | gRPC by tonic, one answer and many |
#![forbid(unsafe_code)]

pub mod echo;
pub mod notes;
pub mod relay;

/// The blocks of the book's page about these programs.
#[cfg(doctest)]
#[doc = include_str!("../../book/src/ecosystem.md")]
mod page {}
