//! The source text: of tokens, and of the file that contains the function.

mod source_text;
mod words;
mod bare_code;
mod module_items;
mod name_context;
mod indexed_code;
mod plain_functions;
mod machines;
mod item_scopes;
mod file_modules;
mod package;
mod source_file;
mod own_macros;
mod declared_lifetimes;

pub(crate) use self::declared_lifetimes::{
    declared_lifetimes, leaves_out_lifetimes, signature_leaves_out_lifetimes,
};
pub(crate) use self::file_modules::DeclaredFn;
pub(crate) use self::machines::{may_share_machine_name, qualified_name};
pub(super) use self::own_macros::imported_crate;
pub(crate) use self::own_macros::{declared_macro_awaits, is_std_macro, own_macro};
pub(crate) use self::package::{
    Erasing, argument_count, is_neutral_function, is_neutral_macro, is_neutral_method, is_stored,
    known_argument_count, machine_is_named, machines_lead_back, may_name_machine, stores_future,
    takes_calls_apart, type_leads_to, words_lead_back,
};
pub(crate) use self::plain_functions::{ModuleFunctions, PlainFunction};
pub(crate) use self::source_file::{
    ForeignNames, ModuleKey, begins_path, count_machines_before, declares_module, declares_type,
    foreign_names, has_machine, has_other_block, imports_by_glob, imports_only_from, own_primitive,
    take_functions,
};
pub(super) use self::source_file::{
    PatternItems, has_other_parameters, is_async_trait, is_declared_as, is_undeclared_value,
};
pub(crate) use self::source_text::{as_written, source_text};
pub(crate) use self::words::{is_awaited, next_word};
