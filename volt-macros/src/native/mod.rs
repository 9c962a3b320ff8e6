//! The native layout: a struct with a name around the compiler's own coroutine.
//!
//! ```text
//! Signature ─read→ names for what it leaves out ─┐
//! body ─sites→ each `.await` in sight is marked ─┼─write→ tokens
//!      ─steps→ which await can follow which ─────┘
//! ```
//!
//! The body is passed on as it stands; only its awaits are marked. So any body can be native: there
//! is nothing to understand about it. What the support code does at run time is told in
//! `volt::machine::private::native`. A function expands to:
//!
//! ```text
//! fn fetch(url: &str) -> Fetch<'_> { .. }            stores its arguments
//! struct Fetch<'url> { native: Inline<..>, .. }      the machine
//! const _: () = {
//!     async fn __fetch(late: Late<..>) -> .. { .. }  the body
//!     impl .. for Fetch<'_> { .. }
//! };
//! ```

mod boxes;
mod foreign;
mod recursion;
mod fit;
mod known;
mod steps;
mod machine;
mod function;
mod interface;
mod receiver;
mod sites;
mod coroutine;
mod behind;
mod questions;
mod table;
mod expansion;
mod in_editor;
mod write;

pub(crate) use boxes::{Marked, send, send_assertion};
pub(crate) use fit::{awaits_itself, check, check_method, check_options};
pub(crate) use foreign::{apart, is_for_body, is_foreign, split_runner};
pub(crate) use function::{function, limit, limit_item};
pub(crate) use interface::interface;
pub(crate) use recursion::refuse_circles;
pub(crate) use write::machine;
