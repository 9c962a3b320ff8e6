//! Small types and functions that several folders use.

mod rng;
mod unwind;

pub(crate) use self::rng::Rng;
pub(crate) use self::unwind::{Payload, catch, catch_and_discard, catch_as_none, discard};
