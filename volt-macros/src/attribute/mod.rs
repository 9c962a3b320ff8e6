//! The attribute: from an item to the layout of each of its functions.
//!
//! ```text
//! item ─parse─┬─ impl block ── each method, as a function ─┐
//!             └─ function ─────────────────────────────────┴─ pipeline ─┬─ explicit machine
//!                                                                       └─ native machine, or errors
//! ```
//!
//! - `expand_item` and `impl_block` split the item; `choose_layout` decides each function.
//! - `cfg_arguments` writes a function once for each case of a `#[cfg]` on an argument.
//! - `bare_objects` names trait objects of older editions.
//! - `attributes` moves attributes of the body before the function, and splits expected lints.
//! - `recover` passes a body that does not parse to the compiler, and replaces one that is refused.
//!   After a panic of the macro, the item stays as it was, with an error.

mod recover;
mod bare_objects;
mod cfg_arguments;
mod wrong_uses;
mod attributes;
mod choose_layout;
mod impl_block;
mod expand_item;

pub(crate) use self::expand_item::expand;
pub(crate) use self::recover::with_unparsed_body;
