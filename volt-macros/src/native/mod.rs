//! The native layout: a struct with a name around the compiler's own coroutine.
//!
//! ```text
//! Signature ─read→ names for what it leaves out ─┐
//! body ─sites→ each `.await` in sight is marked ─┼─write→ tokens
//!      ─steps→ which await can follow which ─────┘
//! ```
//!
//! The body stays as it is; only its awaits are marked. So any body can be native, because the
//! macro need not understand it. `volt::machine::expansion::native` describes the support code. A
//! function expands to:
//!
//! ```text
//! fn fetch(url: &str) -> Fetch<'_> { .. }            stores its arguments
//! struct Fetch<'url> { native: Inline<..>, .. }      the machine
//! const _: () = {
//!     async fn __fetch(ptr: ProgressCapture<..>) -> ..  the body
//!     impl .. for Fetch<'_> { .. }
//! };
//! ```

mod type_size;
mod walks;
mod rows;
mod native_machine;
mod receiver;
mod sites;
mod coroutine;
mod attribute_wrapper;
mod queries;
mod table;
mod expansion;
mod in_editor;
mod emit;

pub(crate) use emit::machine;
