//! What a machine tells of itself, apart from its type parameters.

use crate::machine::tables::Tables;

/// The tables of a machine, on a type of no size that has no parameters.
pub trait Table {
    /// All of them.
    const TABLES: &'static Tables;
}
