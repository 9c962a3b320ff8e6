//! Random functions from templates: any syntax that stable Rust accepts in the body of an `async
//! fn`.
//!
//! A template is a piece of Rust with holes. Another template fills each hole, down to names and
//! numbers:
//!
//! ```text
//! if @b @{} else { @Q; }        @b an expression of type bool, @{} a block, @Q a local in place
//! ```
//!
//! - `writer` fills the holes, and records the locals in scope;
//! - `values`, `statements` and `ambiguous` are the templates;
//! - `parameters` and `signature` draw the heads of functions; `heads` writes them, and calls;
//! - `function` puts families together.
//!
//! No borrow checker is needed. A local that a statement has borrowed or moved is hidden for the
//! rest of the statement, and locals are moved only at the depth of their own block.
//!
//! The templates are strings, because they cover syntax, for which a text with holes is shorter
//! than a typed production. `generate` has typed productions for the dialect of the explicit
//! layout.

mod writer;
mod values;
mod statements;
mod ambiguous;
mod parameters;
mod signature;
mod heads;
mod function;

pub(crate) use function::family;

#[cfg(test)]
mod tests;
