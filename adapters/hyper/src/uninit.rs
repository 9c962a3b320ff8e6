//! The only file with `unsafe`: it reports to hyper how much of its memory was written.

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
    // SAFETY: bytes that the caller has initialized are overwritten by the system, or left
    // unchanged.
    let room = unsafe { cursor.as_mut() };
    stream.poll_read_uninit(cx, room).map_ok(|count| {
        // SAFETY: `ReadUninit` promises that so many bytes are initialised, and only volt
        // implements it.
        unsafe { cursor.advance(count) }
    })
}
