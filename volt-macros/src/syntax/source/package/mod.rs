//! The files of a package: functions and types that other modules than that of a machine declare.

mod package_files;
mod erasing_functions;
mod machine_heads;
mod package_words;
mod read_package;
mod function_words;
mod neutral_items;
mod neutral_methods;
mod module_names;
mod dissecting_macros;

pub(crate) use self::dissecting_macros::takes_calls_apart;
pub(crate) use self::erasing_functions::Erasing;
pub(super) use self::function_words::{has_no_macro, odd_items};
pub(crate) use self::function_words::{
    is_stored, machine_is_named, machines_lead_back, may_name_machine, stores_future,
    type_leads_to, words_lead_back,
};
pub(super) use self::module_names::has_module;
pub(crate) use self::neutral_items::{
    argument_count, is_neutral_function, is_neutral_macro, known_argument_count,
};
pub(crate) use self::neutral_methods::is_neutral_method;
