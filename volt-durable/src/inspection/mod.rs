//! The machines of a store, as a page of volt's inspection server.

mod machine_query;
mod machines_page;

pub use machines_page::show_machines;
