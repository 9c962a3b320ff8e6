//! Buffered readers, buffered writers, and lines.

mod pending_seek;
mod buf_reader;
mod fill_to;
mod buf_writer;
mod fill_buf;
mod read_until;
mod read_line;
mod split_by;
mod lines;
mod buf_read_ext;

pub use self::buf_read_ext::AsyncBufReadExt;
pub use self::buf_reader::BufReader;
pub use self::buf_writer::BufWriter;
pub use self::fill_buf::FillBuf;
pub use self::fill_to::{FillTo, ReadBuffered};
pub use self::lines::{Lines, NextLine};
pub use self::read_line::ReadLine;
pub use self::read_until::ReadUntil;
pub use self::split_by::{NextSegment, Split};
