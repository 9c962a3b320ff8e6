//! Traits and types for asynchronous reads and writes, and descriptors that tasks can wait for.
//!
//! # Streams
//!
//! The module re-exports the traits of `futures-io`: [`AsyncRead`], [`AsyncBufRead`],
//! [`AsyncWrite`] and [`AsyncSeek`]. [`AsyncReadExt`], [`AsyncBufReadExt`], [`AsyncWriteExt`] and
//! [`AsyncSeekExt`] add methods, whose futures are named types.
//!
//! ```text
//!   AsyncRead ──AsyncReadExt──►      read, read_exact, read_to_end, read_to_string, read_u16, ..
//!   BufReader::new(reader)           ──AsyncBufReadExt──► lines, read_line, read_until, ..
//!   AsyncWrite ──AsyncWriteExt──►    write_all, write_u16, flush, close, ..
//!   AsyncSeek ──AsyncSeekExt──►      seek, rewind, stream_position
//!   copy(reader, writer), copy_bidirectional(&mut a, &mut b), split(stream)
//!   duplex(capacity): a connection in memory
//!   stdin(), stdout(), stderr(): the streams of the process
//! ```
//!
//! The extension traits of `futures` and `futures-lite` work with volt's sockets and the types of
//! this module. The traits of this module work with their readers and writers. The methods have the
//! same names, so import the traits of one crate only.
//!
//! | future that is dropped before it is ready | result |
//! | --- | --- |
//! | `read`, `read_buf`, `read_vectored`, `fill_buf`, `write`, `write_vectored` | nothing was read or written |
//! | `read_to_end`, `read_until`, `read_line`, `read_to_string` | bytes that were read are in the buffer |
//! | `next_line`, `next_segment` | bytes that were read stay in the `Lines` or `Split` |
//! | `fill_to`, `read_u16`, .. of a `BufReader` | bytes that were read stay in the buffer |
//! | `flush`, `close` | the next call continues |
//! | `seek`, `rewind` | the position may have moved |
//! | `copy_buf` | bytes that were not written stay in the reader |
//! | `read_exact`, `read_u16`, .. of other readers; `copy`, `copy_bidirectional` | bytes that were read are **lost** |
//! | `write_all`, `write_u16`, .. | the number of written bytes is **lost** |
//!
//! # Descriptors
//!
//! The sockets of [`net`](crate::net) use this module. `Registered` is for descriptors of other
//! kinds: pipes, terminals, event counters, and sockets of other libraries.

mod error_context;
mod descriptor;
mod future_macro;
mod number;
mod utf8;
mod growable;
mod reading;
mod writing;
mod seeking;
mod buffered;
mod copying;
mod halves;
mod memory;
#[cfg(not(any(loom, all(test, shuttle))))]
mod write_behind;
#[cfg(not(any(loom, all(test, shuttle))))]
mod standard;

pub use self::buffered::{
    AsyncBufReadExt, BufReader, BufWriter, FillBuf, FillTo, Lines, NextLine, NextSegment,
    ReadBuffered, ReadLine, ReadUntil, Split,
};
pub use self::copying::{Copy, CopyBidirectional, CopyBuf, copy, copy_bidirectional, copy_buf};
#[cfg(unix)]
pub use self::descriptor::Registered;
pub(crate) use self::descriptor::{HasRegistration, PollEvented};
pub use self::descriptor::{Interest, Readable, Ready, ReadyFor, Writable};
pub(crate) use self::error_context::with_context;
pub use self::growable::GrowableBytes;
pub use self::halves::{ReadHalf, WriteHalf, split};
pub use self::memory::{DuplexStream, Empty, Repeat, Sink, duplex, empty, repeat, sink};
pub use self::number::{BigEndian, Endian, LittleEndian, Number};
pub use self::reading::{
    AsyncReadExt, Chain, Read, ReadBuf, ReadExact, ReadNumber, ReadToEnd, ReadToString,
    ReadVectored, Take,
};
pub use self::seeking::{AsyncSeekExt, Rewind, Seek, StreamPosition};
#[cfg(not(any(loom, all(test, shuttle))))]
pub use self::standard::{Stderr, Stdin, Stdout, stderr, stdin, stdout};
#[cfg(all(feature = "fs", not(any(loom, all(test, shuttle)))))]
pub(crate) use self::write_behind::{QueuedEntry, RecordSink, WriteBehind, write_counted};
pub use self::writing::{AsyncWriteExt, Close, Flush, Write, WriteAll, WriteNumber, WriteVectored};
pub use futures_io::{AsyncBufRead, AsyncRead, AsyncSeek, AsyncWrite};
