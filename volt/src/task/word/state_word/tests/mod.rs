//! Each transition over all words, and all orders of transitions.
//!
//! The word is pure, so Miri leaves out the long tests.

mod word;
#[cfg(not(miri))]
mod unpacked;
#[cfg(not(miri))]
mod spec;
#[cfg(not(miri))]
mod world;
