//! The files of a package: functions and types that other modules than that of a machine declare.

mod package_files;
mod erasing_functions;
mod function_words;

pub(crate) use self::erasing_functions::Erasing;
pub(super) use self::function_words::odd_items;
pub(crate) use self::function_words::{machine_is_named, words_lead_back};
