//! Workers whose threads block: in a join, or in a blocking call.

mod core_handoff;
#[cfg(not(loom))]
mod inline_poll;

pub(crate) use self::core_handoff::{BlockKind, block_worker};
