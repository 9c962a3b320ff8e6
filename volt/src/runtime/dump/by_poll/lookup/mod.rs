//! Lookups in the sources and in the executable.
//!
//! `source_roots` has the folders of relative paths, and `symbol_table` the functions by address.

mod source_roots;
#[cfg(target_os = "linux")]
mod symbol_table;

pub(super) use self::source_roots::{learn_root, relative_path};
#[cfg(target_os = "linux")]
pub(super) use self::symbol_table::SymbolTable;
