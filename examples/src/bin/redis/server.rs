//! All clients, until the end.

use std::io;
use std::num::NonZeroUsize;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use volt::future::{FutureExt, Policy, race};
use volt::net::{TcpListener, TcpStream};
use volt::time::sleep;
use volt::{Current, Group};

use crate::options::Options;
use crate::session::{Shared, session};
use crate::store::sweep;

enum Event {
    Came(io::Result<TcpStream>),
    Stopped(io::Result<()>),
}

type Sessions = Group<io::Result<()>, Current>;

/// Serves until `stop` is ready, and returns the number of clients.
pub(crate) async fn serve(
    options: &Options,
    stop: impl Future<Output = io::Result<()>>,
) -> io::Result<u64> {
    let listener = TcpListener::bind(options.address)?;
    println!("redis: listening at {}", listener.local_addr()?);
    let shared = Arc::new(Shared::default());
    let sweeping = volt::spawn(sweep(Arc::clone(&shared))).cancel_on_drop();
    let mut sessions = Group::new(Current).policy(Policy::Supervise);
    let mut count = 0;
    let mut stop = pin!(stop.map(Event::Stopped));
    loop {
        let came = next(&listener, &mut sessions, options.clients).map(Event::Came);
        match race(stop.as_mut(), came).await {
            Event::Stopped(stopped) => {
                stopped?;
                break;
            }
            Event::Came(Ok(stream)) => {
                count += 1;
                sessions.spawn(session(stream, Arc::clone(&shared)));
            }
            Event::Came(Err(error)) => {
                // For example out of descriptors: other sessions end in time.
                eprintln!("redis: cannot accept: {error}");
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
    sessions.shutdown().await;
    drop(sweeping);
    Ok(count)
}

/// The next client, as soon as there is room for it.
async fn next(
    listener: &TcpListener,
    sessions: &mut Sessions,
    most: NonZeroUsize,
) -> io::Result<TcpStream> {
    let mut accept = pin!(listener.accept());
    std::future::poll_fn(|cx| {
        // Sessions that are over make room.
        while let Poll::Ready(Some(_ended)) = sessions.poll_next(cx) {}
        if sessions.live() >= most.get() {
            return Poll::Pending;
        }
        accept.as_mut().poll(cx).map_ok(|(stream, _)| stream)
    })
    .await
}
