//! Descriptors that bytes are read from and written to.

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
        self.poll_transfer(cx, Direction::Read, wanted, |mut it| it.read(buf))
    }

    pub(crate) fn poll_read_vectored(
        &self,
        cx: &mut Context<'_>,
        bufs: &mut [IoSliceMut<'_>],
    ) -> Poll<io::Result<usize>> {
        // Not a transfer of all of `bufs`: the system takes no more than so many at once.
        self.poll_io(cx, Direction::Read, |mut it| it.read_vectored(bufs))
    }

    pub(crate) fn poll_write(&self, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let wanted = buf.len();
        self.poll_transfer(cx, Direction::Write, wanted, |mut it| it.write(buf))
    }

    pub(crate) fn poll_write_vectored(
        &self,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_io(cx, Direction::Write, |mut it| it.write_vectored(bufs))
    }

    pub(crate) fn poll_read_in(
        &self,
        cx: &mut Context<'_>,
        waiting: &mut ReadinessWait,
        buf: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_transfer_in(cx, waiting, buf.len(), |mut it| it.read(buf))
    }

    pub(crate) fn poll_write_in(
        &self,
        cx: &mut Context<'_>,
        waiting: &mut ReadinessWait,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_transfer_in(cx, waiting, buf.len(), |mut it| it.write(buf))
    }

    pub(crate) fn poll_read_vectored_in(
        &self,
        cx: &mut Context<'_>,
        waiting: &mut ReadinessWait,
        bufs: &mut [IoSliceMut<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_io_in(cx, waiting, |mut it| it.read_vectored(bufs))
    }

    pub(crate) fn poll_write_vectored_in(
        &self,
        cx: &mut Context<'_>,
        waiting: &mut ReadinessWait,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_io_in(cx, waiting, |mut it| it.write_vectored(bufs))
    }

    pub(crate) fn try_read_vectored(&self, bufs: &mut [IoSliceMut<'_>]) -> io::Result<usize> {
        self.try_io(Direction::Read, |mut it| it.read_vectored(bufs))
    }

    pub(crate) fn try_write_vectored(&self, bufs: &[IoSlice<'_>]) -> io::Result<usize> {
        self.try_io(Direction::Write, |mut it| it.write_vectored(bufs))
    }

    pub(crate) fn try_read(&self, buf: &mut [u8]) -> io::Result<usize> {
        self.try_io(Direction::Read, |mut it| it.read(buf))
    }

    pub(crate) fn try_write(&self, buf: &[u8]) -> io::Result<usize> {
        self.try_io(Direction::Write, |mut it| it.write(buf))
    }
}
