//! Every state against every operation, and every order of operations.
//!
//! The word is pure, so what takes long is left out where every access is watched.

mod word;
#[cfg(not(miri))]
mod unpacked;
#[cfg(not(miri))]
mod spec;
#[cfg(not(miri))]
mod world;
