//! Writing: the methods of every writer, and their futures.

mod write_once;
mod write_number;
mod write_ext;

pub use self::write_ext::AsyncWriteExt;
pub use self::write_number::WriteNumber;
pub use self::write_once::{Close, Flush, Write, WriteAll, WriteVectored};
