//! Random functions without a dialect: whatever stable Rust takes in the body of an `async fn`.
//!
//! A function is written from templates. A template is a piece of Rust with holes; what fills a hole is
//! another template, down to names and numbers:
//!
//! ```text
//! if @b @{} else { @Q; }        @b an expression of type bool, @{} a block, @Q a local in place
//! ```
//!
//! - `writer` fills the holes and knows the locals in scope;
//! - `values` and `statements` are the templates;
//! - `parameters` and `signature` draw the heads of functions, and how they are called;
//! - `function` puts families together.
//!
//! The borrow checker is not asked and has nothing to say: a local that a statement has borrowed or moved is
//! out of sight for the rest of it, and what is moved away is moved at the depth of its own block.

mod writer;
mod values;
mod statements;
mod parameters;
mod signature;
mod function;

pub(crate) use function::family;

#[cfg(test)]
mod tests;
