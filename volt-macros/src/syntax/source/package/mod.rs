//! The files of a package: functions and types that other modules than that of a machine declare.

mod package_files;
mod erasing_functions;
mod machine_heads;
mod package_words;
mod read_package;
mod function_words;
mod module_names;

pub(crate) use self::erasing_functions::Erasing;
pub(super) use self::function_words::odd_items;
pub(crate) use self::function_words::{
    is_boxed, machine_is_named, machines_lead_back, words_lead_back,
};
pub(super) use self::module_names::has_module;
