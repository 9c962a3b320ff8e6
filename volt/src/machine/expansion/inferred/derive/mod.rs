//! `Clone`, `PartialEq`, `Eq` and `Hash` of an explicit machine.

mod clone_eq_hash;
mod derive_macros;

pub use clone_eq_hash::{
    ClonedValue, HashMode, PairMode, clone_into, clone_mode, compare_mode, equal, hash, hash_mode,
};
