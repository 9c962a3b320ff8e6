//! The items of a file that a pattern may name: constants, unit structs, tuple structs, variants.
//!
//! An item is in scope in the module or block that declares it, and where a `use` imports it. So
//! the file is split into scopes, each with its declarations and imports. A glob import of another
//! module or enum of the file is followed.

mod use_tree;
mod item_scope;
mod odd_items;
mod scan;
mod lookup;

pub(super) use self::item_scope::ItemScopes;
pub(super) use self::odd_items::OddItems;
pub(super) use self::use_tree::{Import, imports};

#[cfg(test)]
mod tests;
