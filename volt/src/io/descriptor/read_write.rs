//! Reads and writes of bytes on descriptors that the driver watches.

use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::task::{Context, Poll};

use mio::event::Source;

use super::poll_evented::PollEvented;
use crate::driver::{Direction, ReadinessWait};

impl<S: Source> PollEvented<S>
where
    for<'a> &'a S: Read + Write,
{
    pub(crate) fn poll_read(
        &self,
        cx: &mut Context<'_>,
        buf: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let wanted = buf.len();
        self.poll_transfer(cx, Direction::Read, wanted, |mut source| source.read(buf))
    }

    pub(crate) fn poll_read_vectored(
        &self,
        cx: &mut Context<'_>,
        bufs: &mut [IoSliceMut<'_>],
    ) -> Poll<io::Result<usize>> {
        // This does not use `poll_transfer`: the system limits the number of buffers of one call.
        self.poll_io(cx, Direction::Read, |mut source| source.read_vectored(bufs))
    }

    pub(crate) fn poll_write(&self, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let wanted = buf.len();
        self.poll_transfer(cx, Direction::Write, wanted, |mut source| source.write(buf))
    }

    pub(crate) fn poll_write_vectored(
        &self,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_io(cx, Direction::Write, |mut source| {
            source.write_vectored(bufs)
        })
    }

    pub(crate) fn poll_read_in(
        &self,
        cx: &mut Context<'_>,
        waiting: &mut ReadinessWait,
        buf: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_transfer_in(cx, waiting, buf.len(), |mut source| source.read(buf))
    }

    pub(crate) fn poll_write_in(
        &self,
        cx: &mut Context<'_>,
        waiting: &mut ReadinessWait,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_transfer_in(cx, waiting, buf.len(), |mut source| source.write(buf))
    }

    pub(crate) fn poll_read_vectored_in(
        &self,
        cx: &mut Context<'_>,
        waiting: &mut ReadinessWait,
        bufs: &mut [IoSliceMut<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_io_in(cx, waiting, |mut source| source.read_vectored(bufs))
    }

    pub(crate) fn poll_write_vectored_in(
        &self,
        cx: &mut Context<'_>,
        waiting: &mut ReadinessWait,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_io_in(cx, waiting, |mut source| source.write_vectored(bufs))
    }

    pub(crate) fn try_read_vectored(&self, bufs: &mut [IoSliceMut<'_>]) -> io::Result<usize> {
        self.try_io(Direction::Read, |mut source| source.read_vectored(bufs))
    }

    pub(crate) fn try_write_vectored(&self, bufs: &[IoSlice<'_>]) -> io::Result<usize> {
        self.try_io(Direction::Write, |mut source| source.write_vectored(bufs))
    }

    pub(crate) fn try_read(&self, buf: &mut [u8]) -> io::Result<usize> {
        self.try_io(Direction::Read, |mut source| source.read(buf))
    }

    pub(crate) fn try_write(&self, buf: &[u8]) -> io::Result<usize> {
        self.try_io(Direction::Write, |mut source| source.write(buf))
    }
}
