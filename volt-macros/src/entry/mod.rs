//! The attributes `#[volt::main]` and `#[volt::test]`, which run an `async fn` in its own runtime.
//!
//! The expansion is a plain function that contains the user's function and calls it. So its body
//! may contain any code, and errors of the compiler are reported for the source. Only its awaits
//! are marked, so that they charge the budget of the task (`charged_awaits` of `syntax`).

mod options;
mod expand;

pub(crate) use self::expand::{EntryKind, expand};
