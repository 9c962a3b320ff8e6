//! The source text: of tokens, and of the file that contains the function.

mod source_text;
mod name_context;
mod indexed_code;
mod plain_functions;
mod impl_blocks;
mod file_modules;
mod source_file;

pub(crate) use self::impl_blocks::qualified_name;
pub(crate) use self::plain_functions::PlainFunction;
pub(super) use self::source_file::imports_from;
pub(crate) use self::source_file::{
    begins_path, declares_module, declares_type, has_other_block, imports_by_glob,
    take_plain_functions,
};
pub(crate) use self::source_text::{as_written, source_text};
