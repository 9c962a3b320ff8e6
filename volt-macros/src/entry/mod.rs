//! From an `async fn` to a plain one that runs it in a runtime of its own.
//!
//! The function stays as it is, within the plain one, and is called there; so its body may be
//! anything, and what the compiler says of it is said of the source.

mod options;
mod expand;

pub(crate) use self::expand::{EntryKind, expand};
