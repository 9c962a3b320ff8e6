//! Operators: lists of machines with their values, and actions on single machines.

mod secret;
mod hidden_secrets;
mod shown_row;
mod page;
mod client_operations;

pub use page::Page;
pub use secret::Secret;
