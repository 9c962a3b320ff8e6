//! The one place with `unsafe`: hyper is told how much of its memory was written to.

use std::io;
use std::task::{Context, Poll};

use hyper::rt::ReadBufCursor;
use volt::net::ReadUninit;

/// Reads into hyper's buffer as it is.
pub(crate) fn poll_fill(
    stream: &impl ReadUninit,
    cx: &mut Context<'_>,
    mut cursor: ReadBufCursor<'_>,
) -> Poll<io::Result<()>> {
    // SAFETY: What the caller has initialised is written over by the system, or left alone.
    let room = unsafe { cursor.as_mut() };
    stream.poll_read_uninit(cx, room).map_ok(|count| {
        // SAFETY: `ReadUninit` promises that so many bytes are initialised, and only volt
        // implements it.
        unsafe { cursor.advance(count) }
    })
}
