//! Groups of futures of one type, run inside of the task that polls them.
//!
//! `future_storage` holds the futures in chunks that never move, one for each group of the wake
//! set. It also links the free places and the futures that have not started. The wake set doubles
//! when it is too small. `inspection` shows the futures to a runtime.

mod future_storage;
#[expect(
    clippy::module_inception,
    reason = "the folder is named for its one public type"
)]
mod future_group;
mod inspection;

pub use self::future_group::{FutureGroup, FutureId, NextFuture};
