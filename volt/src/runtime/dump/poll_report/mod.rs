//! The account of the inspection polls of a dump by poll.

mod unreached_task;
#[expect(
    clippy::module_inception,
    reason = "the file is named for the type it defines"
)]
mod poll_report;

pub use self::poll_report::PollReport;
pub use self::unreached_task::{UnreachedReason, UnreachedTask};
