//! One run from the first connection to the last.

use std::error::Error;
use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use volt::future::{FutureExt, Policy, TaskError, join_all};
use volt::net::TcpListener;
use volt::runtime::Dump;
use volt::time::sleep;
use volt::{Current, Group, Handle, JoinError};

use crate::client::{Page, Plan, Visit, VisitError, browse};
use crate::options::Options;
use crate::report;
use crate::rude;
use crate::server::{ConnectionError, Limits, Tally, accept};
use crate::site::Site;

/// The outcome of a connection, as the group returns it.
pub(crate) type Ended = Result<Result<u64, ConnectionError>, TaskError>;
/// The outcome of a client.
pub(crate) type Visited = Result<Result<Visit, VisitError>, JoinError>;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// A server whose connections are the children of a group.
struct Server {
    address: SocketAddr,
    tally: Arc<Tally>,
    accepting: volt::JoinHandle<std::convert::Infallible>,
    connections: Group<Result<u64, ConnectionError>>,
}

impl Server {
    fn start(port: u16, site: Site, limits: Limits) -> Outcome<Self> {
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let listener = TcpListener::bind(wanted)?;
        let address = listener.local_addr()?;
        let tally = Arc::new(Tally::default());
        let connections = Group::new(Current).policy(Policy::Supervise);
        let accepting = volt::spawn(accept(
            listener,
            Arc::new(site),
            Arc::clone(&tally),
            connections.handle(),
            limits,
        ));
        Ok(Self {
            address,
            tally,
            accepting,
            connections,
        })
    }

    /// Closes the listener and every connection, and waits until they are gone.
    async fn end(mut self) -> Vec<Ended> {
        self.accepting.cancel();
        let _cancelled = self.accepting.await;
        let ended = self.connections.shutdown().await;
        ended.into_iter().map(|(_, result)| result).collect()
    }
}

/// Serves until the process is stopped.
pub(crate) async fn stay(options: &Options, site: Site) -> Outcome {
    report::refused(&site);
    let addresses: Vec<String> = site
        .files()
        .map(|(address, _)| address.to_owned())
        .collect();
    let limits = Limits {
        connections: options.connections,
        patience: options.patience,
    };
    let mut server = Server::start(options.port, site, limits)?;
    report::say!("serving, until ctrl-c:");
    for address in addresses {
        report::say!("  http://{}{address}", server.address);
    }
    loop {
        match server.connections.next().await {
            Some((_, Ok(Err(error)))) => eprintln!("serve: {error}"),
            Some((_, Err(error))) => eprintln!("serve: {error}"),
            Some((_, Ok(Ok(_)))) => {}
            // No client is connected: check again soon.
            None => sleep(Duration::from_millis(50)).await,
        }
    }
}

/// Serves to clients of its own, checks what they got, and reports.
pub(crate) async fn load(options: &Options, site: Site) -> Outcome {
    let pages = read_pages(&site)?;
    report::site(&pages);
    report::refused(&site);
    let limits = Limits {
        // None of its own clients waits for a place.
        connections: options.connections.max(options.clients + 3),
        patience: options.patience,
    };
    let server = Server::start(options.port, site, limits)?;
    report::listening(server.address);

    let silent = volt::spawn(rude::stay_silent(server.address));
    let rubbish = volt::spawn(rude::talk_rubbish(server.address));
    let hung_up = volt::spawn(rude::hang_up(server.address));

    let total = (options.clients * options.requests) as u64;
    let started = Instant::now();
    let clients = join_all((0..options.clients).map(|first| {
        volt::spawn(browse(Plan {
            server: server.address,
            pages: Arc::clone(&pages),
            first,
            requests: options.requests,
            deadline: options.deadline,
        }))
    }));
    // The clients as a whole have a limit too: whichever is first wins the race.
    let limit = options.deadline * 30;
    let clients = clients.map(Some);
    let clients = volt::future::race(clients, sleep(limit).map(|()| None));
    let halfway = dump_when(Arc::clone(&server.tally), total / 2);
    let (visits, dump) = volt::future::join(clients, halfway).await;
    let elapsed = started.elapsed();
    let visits = visits.ok_or_else(|| format!("the clients were not done within {limit:?}"))?;

    report::traffic(&visits, elapsed);
    report::rude(&rubbish.await??, hung_up.await?);
    report::positions(&dump);
    let ended = server.end().await;
    report::connections(&ended);
    report::silent(silent.await?);
    report::sizes();
    report::diagram();
    report::verdict(&visits, total)
}

/// Reads every page as it must arrive, independently of the server.
fn read_pages(site: &Site) -> Outcome<Arc<[Page]>> {
    let mut pages = Vec::new();
    for (address, path) in site.files() {
        let body =
            fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        pages.push(Page {
            address: address.to_owned(),
            body,
        });
    }
    Ok(pages.into())
}

/// Looks at all tasks when the server has answered `count` requests, or has stopped answering.
async fn dump_when(tally: Arc<Tally>, count: u64) -> Dump {
    let mut before = u64::MAX;
    let mut quiet = 0;
    while tally.requests.load(Relaxed) < count && quiet < 2000 {
        let now = tally.requests.load(Relaxed);
        quiet = if now == before { quiet + 1 } else { 0 };
        before = now;
        sleep(Duration::from_micros(500)).await;
    }
    Handle::current().dump()
}
