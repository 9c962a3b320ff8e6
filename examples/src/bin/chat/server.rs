//! All clients, until the end.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use volt::future::{FutureExt, Policy, race};
use volt::net::{TcpListener, TcpStream};
use volt::time::{sleep, timeout};
use volt::{Current, Group};

use crate::options::Options;
use crate::rooms::Rooms;
use crate::session::session;

/// The outcomes of the sessions.
#[derive(Debug, Default)]
pub(crate) struct Report {
    sessions: u64,
    cut_off: usize,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} sessions, {} cut off", self.sessions, self.cut_off)
    }
}

enum Event {
    Came(io::Result<(TcpStream, SocketAddr)>),
    Stopped(io::Result<()>),
}

/// Serves until `stop` is ready, and then until the last session is over, or has had its time.
pub(crate) async fn serve(
    options: &Options,
    stop: impl Future<Output = io::Result<()>>,
) -> io::Result<Report> {
    let listener = TcpListener::bind(options.address)?;
    println!("chat: listening at {}", listener.local_addr()?);
    let rooms = Arc::new(Rooms::default());
    // The panic of one session does not end the others.
    let mut sessions = Group::new(Current).policy(Policy::Supervise).detached();
    let mut report = Report::default();
    let mut stop = pin!(stop);
    loop {
        let came = listener.accept().map(Event::Came);
        match race(came, stop.as_mut().map(Event::Stopped)).await {
            Event::Came(Ok((stream, peer))) => {
                report.sessions += 1;
                let session = session(stream, Arc::clone(&rooms), options.limits);
                sessions.spawn(session.map(move |ended| note(peer, ended)));
            }
            Event::Came(Err(error)) => {
                // For example out of descriptors: other sessions end in time.
                eprintln!("chat: cannot accept: {error}");
                sleep(Duration::from_millis(100)).await;
            }
            Event::Stopped(stopped) => {
                stopped?;
                break;
            }
        }
    }
    drop(listener);
    rooms.close("the server is going down");
    if timeout(options.grace, sessions.wait()).await.is_err() {
        report.cut_off = sessions.live();
        sessions.shutdown().await;
    }
    Ok(report)
}

fn note(peer: SocketAddr, ended: io::Result<()>) {
    if let Err(error) = ended {
        eprintln!("chat: {peer}: {error}");
    }
}
