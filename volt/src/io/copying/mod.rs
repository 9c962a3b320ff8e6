//! Copying: all that comes out of a reader goes into a writer.

mod written;
mod transfer;
mod one_way;
mod out_of_buffer;
mod bidirectional;

pub use self::bidirectional::{CopyBidirectional, copy_bidirectional};
pub use self::one_way::{Copy, copy};
pub use self::out_of_buffer::{CopyBuf, copy_buf};
