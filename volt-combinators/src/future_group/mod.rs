//! Groups of futures of one type, run inside of the task that polls them.
//!
//! `places` is where they lie: rooms that never move, one for each group of the wake set, and the rows of
//! the places that are free and of the futures that have not begun. The wake set doubles when it is short.

mod places;
#[expect(
    clippy::module_inception,
    reason = "the folder is named for its one public type"
)]
mod future_group;

pub use self::future_group::{FutureGroup, FutureId, NextOf};
