//! `Clone`, `PartialEq`, `Eq` and `Hash` of an explicit machine.

mod clone_eq_hash;
mod derive_macros;

pub use clone_eq_hash::{
    Cloned, Hashing, Pair, clone_into, cloning, comparing, equal, hash, hashing,
};
