//! Copies of all bytes of a reader to a writer.

mod copy_progress;
mod copy_buffer;
mod copy_unbuffered;
mod copy_buffered;
mod bidirectional;

pub use self::bidirectional::{CopyBidirectional, copy_bidirectional};
pub use self::copy_buffered::{CopyBuf, copy_buf};
pub use self::copy_unbuffered::{Copy, copy};
