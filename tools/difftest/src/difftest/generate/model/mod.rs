//! The model of a function: random numbers, types, locals and signatures.

pub(crate) mod locals;
pub(crate) mod rng;
pub(crate) mod signature;
pub(crate) mod switches;
pub(crate) mod ty;
