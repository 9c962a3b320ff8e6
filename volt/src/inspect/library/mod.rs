//! Pages of libraries on the inspection servers of a process: their data, and their actions.

mod library_request;
mod library_page;
mod page_table;

pub use library_page::LibraryPage;
pub use library_request::LibraryRequest;
pub use page_table::add_inspect_page;
pub(super) use page_table::{page_names, page_of};
