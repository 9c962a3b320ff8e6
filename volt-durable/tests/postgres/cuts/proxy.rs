//! A proxy between a store and the server, which cuts its connections at a given message.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use postgres::config::Host;
use postgres::{Client, Config, NoTls};

use crate::server::config;

/// The place at which a connection is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// The server does not receive the request.
    BeforeRequest,
    /// The server has run the request, and the client does not receive the answer.
    BeforeAnswer,
}

/// The requests that a proxy counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    All,
    /// Requests at whose end the server commits: a `commit`, and a statement without a transaction.
    Commits,
}

/// A proxy, which runs until the end of the process.
#[derive(Clone)]
pub(crate) struct Proxy {
    folder: Arc<Folder>,
    /// The number of counted requests before the cut.
    left: Arc<AtomicUsize>,
}

impl Proxy {
    /// Starts a proxy that cuts the connection of one request.
    pub(crate) fn start(requests: usize, cut: Cut) -> Self {
        Self::to(config(), (Counted::All, requests), cut, || {})
    }

    /// Starts a proxy that cuts the connection of one commit.
    pub(crate) fn to_commit(commits: usize, cut: Cut) -> Self {
        Self::to(config(), (Counted::Commits, commits), cut, || {})
    }

    /// Starts a proxy to a server. `fault` is called at the cut. If the server has the request, it
    /// may still run it then.
    pub(crate) fn to(
        config: Config,
        (counted, requests): (Counted, usize),
        cut: Cut,
        fault: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        static LAST: AtomicUsize = AtomicUsize::new(0);
        let number = LAST.fetch_add(1, Ordering::SeqCst);
        let folder = std::env::temp_dir();
        let folder = folder.join(format!("volt-proxy-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let listener = UnixListener::bind(folder.join(".s.PGSQL.5432")).expect("a socket");
        let proxy = Self {
            folder: Arc::new(Folder(folder)),
            left: Arc::new(AtomicUsize::new(requests)),
        };
        let fault = Arc::new(fault);
        let left = Arc::clone(&proxy.left);
        thread::spawn(move || {
            for client in listener.incoming() {
                let (client, left) = (client.expect("a client"), Arc::clone(&left));
                let (config, fault) = (config.clone(), Arc::clone(&fault));
                thread::spawn(move || {
                    // The server may be down.
                    let Ok(server) = to_server(&config) else {
                        return;
                    };
                    let _ = forward(&client, &server, (counted, &left), (cut, &*fault));
                    let _ = client.shutdown(Shutdown::Both);
                    let _ = server.shutdown(Shutdown::Both);
                });
            }
        });
        proxy
    }

    /// Returns `true` if the connection was cut.
    pub(crate) fn has_cut(&self) -> bool {
        self.left.load(Ordering::SeqCst) > usize::MAX / 2
    }

    /// Connects through the proxy.
    pub(crate) fn connect(&self, schema: &str) -> Result<Client, postgres::Error> {
        let mut config = Config::new();
        config.user(crate::server::config().get_user().expect("a user"));
        config.dbname("postgres").host_path(&self.folder.0);
        config
            .options(&format!("-c search_path={schema}"))
            .connect(NoTls)
    }
}

/// The folder of the socket.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn to_server(config: &Config) -> std::io::Result<UnixStream> {
    let [Host::Unix(folder)] = config.get_hosts() else {
        panic!("the server listens on one Unix socket");
    };
    UnixStream::connect(folder.join(".s.PGSQL.5432"))
}

/// Forwards requests and answers in turns, until the cut. The driver sends a request with one
/// write, and the server ends an answer with the message `Z`.
fn forward(
    mut client: &UnixStream,
    mut server: &UnixStream,
    (counted, left): (Counted, &AtomicUsize),
    (cut, fault): (Cut, &dyn Fn()),
) -> std::io::Result<()> {
    let mut buffer = vec![0; 1 << 20];
    let mut status = 0;
    loop {
        let length = client.read(&mut buffer)?;
        let request = &buffer[..length];
        let is_counted = counted == Counted::All || is_commit(request, status);
        let is_cut = is_counted && left.fetch_sub(1, Ordering::SeqCst) == 0;
        if length == 0 {
            return Ok(());
        }
        if !is_cut || cut == Cut::BeforeAnswer {
            server.write_all(request)?;
        }
        if is_cut {
            fault();
            if cut == Cut::BeforeRequest {
                return Ok(());
            }
        }
        let mut answer = Vec::new();
        while !is_ready(&answer) {
            let length = server.read(&mut buffer)?;
            if length == 0 {
                return Ok(());
            }
            answer.extend_from_slice(&buffer[..length]);
        }
        if is_cut {
            return Ok(());
        }
        status = answer[answer.len() - 1];
        client.write_all(&answer)?;
    }
}

/// Returns `true` if the server commits at the end of a request. `status` is that of the last
/// answer: `I` outside of a transaction, `T` in one.
fn is_commit(request: &[u8], status: u8) -> bool {
    let has = |wanted: &dyn Fn(u8, &[u8]) -> bool| {
        let mut rest = request;
        while let [tag, a, b, c, d, after @ ..] = rest {
            let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
            let Some((body, next)) = after.split_at_checked(length.saturating_sub(4)) else {
                return false;
            };
            if wanted(*tag, body) {
                return true;
            }
            rest = next;
        }
        false
    };
    match status {
        b'I' => has(&|tag, _| tag == b'E'),
        b'T' => has(&|tag, body| tag == b'Q' && body == b"commit\0"),
        _ => false,
    }
}

/// Returns `true` if an answer ends with `ReadyForQuery`: `Z`, the length 5, and a status.
fn is_ready(answer: &[u8]) -> bool {
    let end = answer.len().saturating_sub(6);
    answer.get(end..end + 5) == Some(&[b'Z', 0, 0, 0, 5])
}
