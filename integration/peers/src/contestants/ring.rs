//! io_uring without a runtime: the least that a driver on io_uring could cost.
//!
//! No task, no waker and no timer exist. A connection has one operation in flight: a receive, or
//! the send of what was received.

use std::fs::File;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

use io_uring::squeue::Entry;
use io_uring::{IoUring, cqueue, opcode, types};

use super::{Reads, open, thread_per_core};

/// The user data of the operation that accepts connections.
const ACCEPT: u64 = u64::MAX;

pub(super) fn serve(address: SocketAddr, bytes: usize, threads: usize) -> io::Result<()> {
    thread_per_core(address, threads, move |listener| {
        Server::new(listener, bytes)?.run()
    })
}

fn ring() -> io::Result<IoUring> {
    IoUring::builder()
        .setup_single_issuer()
        .setup_defer_taskrun()
        .build(2048)
}

struct Server {
    ring: IoUring,
    listener: TcpListener,
    bytes: usize,
    connections: Vec<Option<Connection>>,
    /// Operations that wait for space in the submission queue.
    waiting: Vec<Entry>,
}

struct Connection {
    socket: OwnedFd,
    buffer: Box<[u8]>,
    /// The part of the buffer that is still to be sent. It is empty during a receive.
    unsent: std::ops::Range<usize>,
}

impl Server {
    fn new(listener: TcpListener, bytes: usize) -> io::Result<Self> {
        let accept = opcode::AcceptMulti::new(types::Fd(listener.as_raw_fd())).build();
        Ok(Self {
            ring: ring()?,
            listener,
            bytes,
            connections: Vec::new(),
            waiting: vec![accept.user_data(ACCEPT)],
        })
    }

    fn run(mut self) -> io::Result<()> {
        loop {
            submit(&mut self.ring, &mut self.waiting)?;
            let completed: Vec<cqueue::Entry> = self.ring.completion().collect();
            for entry in completed {
                self.complete(&entry)?;
            }
        }
    }

    fn complete(&mut self, entry: &cqueue::Entry) -> io::Result<()> {
        if entry.user_data() == ACCEPT {
            return self.accept(result(entry)? as RawFd, cqueue::more(entry.flags()));
        }
        let place = entry.user_data() as usize;
        let connection = self.connections[place]
            .as_mut()
            .expect("an operation keeps it");
        match result(entry) {
            Ok(0) | Err(_) => self.connections[place] = None,
            Ok(count) => {
                connection.advance(count as usize);
                self.waiting.push(connection.next(place));
            }
        }
        Ok(())
    }

    fn accept(&mut self, socket: RawFd, more: bool) -> io::Result<()> {
        // SAFETY: the kernel has opened the descriptor for this completion.
        let socket = unsafe { OwnedFd::from_raw_fd(socket) };
        rustix::net::sockopt::set_tcp_nodelay(&socket, true)?;
        let buffer = vec![0; self.bytes].into_boxed_slice();
        let connection = Connection {
            socket,
            buffer,
            unsent: 0..0,
        };
        self.waiting.push(connection.next(self.connections.len()));
        self.connections.push(Some(connection));
        if !more {
            let again = opcode::AcceptMulti::new(types::Fd(self.listener.as_raw_fd())).build();
            self.waiting.push(again.user_data(ACCEPT));
        }
        Ok(())
    }
}

impl Connection {
    fn advance(&mut self, count: usize) {
        if self.unsent.is_empty() {
            self.unsent = 0..count;
        } else {
            self.unsent.start += count;
        }
    }

    /// Returns the next operation: a send if bytes are left, else a receive.
    fn next(&self, place: usize) -> Entry {
        let socket = types::Fd(self.socket.as_raw_fd());
        let part = if self.unsent.is_empty() {
            &self.buffer[..]
        } else {
            &self.buffer[self.unsent.clone()]
        };
        let length = part.len() as u32;
        let entry = if self.unsent.is_empty() {
            opcode::Recv::new(socket, part.as_ptr().cast_mut(), length).build()
        } else {
            opcode::Send::new(socket, part.as_ptr(), length).build()
        };
        entry.user_data(place as u64)
    }
}

fn result(entry: &cqueue::Entry) -> io::Result<u32> {
    u32::try_from(entry.result()).map_err(|_| io::Error::from_raw_os_error(-entry.result()))
}

/// Submits all operations, and waits for one completion.
fn submit(ring: &mut IoUring, waiting: &mut Vec<Entry>) -> io::Result<()> {
    for entry in waiting.drain(..) {
        // SAFETY: each operation refers to a descriptor and a buffer that are kept until it
        // completes: a connection has one operation at a time, and is dropped after it.
        while unsafe { ring.submission().push(&entry) }.is_err() {
            ring.submit()?;
        }
    }
    ring.submit_and_wait(1)?;
    Ok(())
}

struct Reader {
    file: File,
    buffer: Vec<u8>,
    offsets: Box<dyn Iterator<Item = u64>>,
}

pub(super) fn read(reads: Reads) -> io::Result<()> {
    let mut ring = ring()?;
    let open = |task| {
        let offsets = Box::new(reads.offsets(task));
        Ok(Reader {
            file: open(&reads.path)?,
            buffer: vec![0; reads.bytes],
            offsets,
        })
    };
    let mut readers: Vec<Reader> = (0..reads.tasks).map(open).collect::<io::Result<_>>()?;
    let mut waiting: Vec<Entry> = Vec::new();
    let mut running = 0;
    for (place, reader) in readers.iter_mut().enumerate() {
        running += usize::from(reader.start(place, &mut waiting));
    }
    while running > 0 {
        submit(&mut ring, &mut waiting)?;
        let completed: Vec<cqueue::Entry> = ring.completion().collect();
        for entry in completed {
            assert_eq!(result(&entry)? as usize, reads.bytes, "the file ended");
            let place = entry.user_data() as usize;
            running -= usize::from(!readers[place].start(place, &mut waiting));
        }
    }
    Ok(())
}

impl Reader {
    /// Starts the next read; returns `false` if all have been done.
    fn start(&mut self, place: usize, waiting: &mut Vec<Entry>) -> bool {
        let Some(offset) = self.offsets.next() else {
            return false;
        };
        let (file, length) = (types::Fd(self.file.as_raw_fd()), self.buffer.len() as u32);
        let read = opcode::Read::new(file, self.buffer.as_mut_ptr(), length).offset(offset);
        waiting.push(read.build().user_data(place as u64));
        true
    }
}
