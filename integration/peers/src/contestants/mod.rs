//! The contestants: each is an echo server, and a program that reads a file.

mod http;
mod on_compio;
mod on_glommio;
mod on_monoio;
mod on_smol;
mod on_tokio;
mod on_volt;
mod ring;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};

pub(crate) use self::http::{BODY, REQUEST};

/// Reads of a file, several at a time.
#[derive(Clone, Debug)]
pub(crate) struct Reads {
    pub(crate) path: PathBuf,
    /// The size of the file.
    pub(crate) size: u64,
    /// The number of bytes of a read.
    pub(crate) bytes: usize,
    /// The number of reads that run at the same time.
    pub(crate) tasks: usize,
    /// The number of reads of each task.
    pub(crate) count: usize,
}

impl Reads {
    /// Returns the offsets that a task reads at, in a random order that is always the same.
    pub(crate) fn offsets(&self, task: usize) -> impl Iterator<Item = u64> + 'static {
        let blocks = self.size / self.bytes as u64;
        let bytes = self.bytes as u64;
        let mut state = task as u64 + 1;
        (0..self.count).map(move |_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % blocks * bytes
        })
    }
}

pub(crate) struct Contestant {
    pub(crate) name: &'static str,
    /// Serves echoes of messages with at most this many bytes, with this many threads, forever.
    pub(crate) serve: fn(SocketAddr, usize, usize) -> io::Result<()>,
    /// Serves HTTP by hyper with this many threads, forever.
    pub(crate) serve_http: Option<fn(SocketAddr, usize) -> io::Result<()>>,
    pub(crate) read: fn(Reads) -> io::Result<()>,
}

pub(crate) const ALL: [Contestant; 7] = [
    Contestant {
        name: "volt",
        serve: on_volt::serve,
        serve_http: Some(on_volt::serve_http),
        read: on_volt::read,
    },
    Contestant {
        name: "tokio",
        serve: on_tokio::serve,
        serve_http: Some(on_tokio::serve_http),
        read: on_tokio::read,
    },
    Contestant {
        name: "smol",
        serve: on_smol::serve,
        serve_http: Some(on_smol::serve_http),
        read: on_smol::read,
    },
    Contestant {
        name: "monoio",
        serve: on_monoio::serve,
        serve_http: Some(on_monoio::serve_http),
        read: on_monoio::read,
    },
    Contestant {
        name: "compio",
        serve: on_compio::serve,
        serve_http: Some(on_compio::serve_http),
        read: on_compio::read,
    },
    Contestant {
        name: "glommio",
        serve: on_glommio::serve,
        serve_http: Some(on_glommio::serve_http),
        read: on_glommio::read,
    },
    Contestant {
        name: "ring",
        serve: ring::serve,
        // A future of hyper needs a waker, which the prototype has not.
        serve_http: None,
        read: ring::read,
    },
];

pub(crate) fn find(name: &str) -> Option<&'static Contestant> {
    ALL.iter().find(|contestant| contestant.name == name)
}

/// Runs `serve` on this many threads, each with its own listener for the same address.
fn thread_per_core(
    address: SocketAddr,
    threads: usize,
    serve: impl Fn(TcpListener) -> io::Result<()> + Copy + Send + 'static,
) -> io::Result<()> {
    let start = |_| {
        let listener = listen_shared(address)?;
        Ok(std::thread::spawn(move || serve(listener)))
    };
    let threads: Vec<_> = (0..threads).map(start).collect::<io::Result<_>>()?;
    threads
        .into_iter()
        .try_for_each(|thread| thread.join().expect("no panic"))
}

/// Listens with `SO_REUSEPORT`: the kernel distributes connections to the listeners of a port.
fn listen_shared(address: SocketAddr) -> io::Result<TcpListener> {
    use rustix::net::{AddressFamily, SocketType, bind, listen, socket, sockopt};

    let socket = socket(AddressFamily::INET, SocketType::STREAM, None)?;
    sockopt::set_socket_reuseport(&socket, true)?;
    bind(&socket, &address)?;
    listen(&socket, 1024)?;
    Ok(socket.into())
}

/// Opens the file without a library: the time of the open is not measured.
fn open(path: &Path) -> io::Result<std::fs::File> {
    std::fs::File::open(path)
}
