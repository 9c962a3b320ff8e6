//! How connections hear that their server ends.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use hyper_util::server::graceful::GracefulConnection;
use pin_project_lite::pin_project;

/// What a server and its connections share.
#[derive(Debug, Default)]
struct Shared {
    has_begun: AtomicBool,
    /// Of each connection that is served, at its number.
    wakers: Mutex<Wakers>,
}

#[derive(Debug, Default)]
struct Wakers {
    places: Vec<Option<Waker>>,
    free: Vec<usize>,
}

impl Shared {
    fn wakers(&self) -> MutexGuard<'_, Wakers> {
        self.wakers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The end of a server, which its connections look out for.
#[derive(Debug, Default)]
pub(crate) struct Ending(Arc<Shared>);

impl Ending {
    /// For one connection.
    pub(crate) fn lookout(&self) -> Lookout {
        Lookout(Arc::clone(&self.0))
    }

    /// Tells all connections, those that are not served yet too.
    pub(crate) fn begin(&self) {
        // ORDERING: Release, pairs with the Acquire in `Served::poll`. A connection that has put its waker
        // there before the lock is taken is woken, and one that does so later sees the flag: it looks at
        // it again when it has let the lock go.
        self.0.has_begun.store(true, Ordering::Release);
        // They are taken out: a clone is foreign code, which does not run under the lock.
        let mut places = self.0.wakers();
        let wakers: Vec<Waker> = places.places.iter_mut().filter_map(Option::take).collect();
        drop(places);
        wakers.into_iter().for_each(Waker::wake);
    }
}

/// A connection's view of the end.
#[derive(Debug)]
pub(crate) struct Lookout(Arc<Shared>);

impl Lookout {
    /// Serves the connection, and has it finish when the server ends.
    pub(crate) fn serve<C>(self, connection: C) -> Serving<C> {
        Serving {
            connection,
            place: Place {
                shared: self.0,
                registered: None,
            },
            is_ending: false,
        }
    }
}

/// Where a connection's waker stands, until this is dropped.
#[derive(Debug)]
struct Place {
    shared: Arc<Shared>,
    registered: Option<(usize, Waker)>,
}

impl Place {
    /// Puts the waker there, if it is not there already.
    fn register(&mut self, waker: &Waker) {
        if let Some((place, known)) = &mut self.registered {
            if !known.will_wake(waker) {
                known.clone_from(waker);
                let waker = waker.clone();
                let old = self.shared.wakers().places[*place].replace(waker);
                drop(old);
            }
            return;
        }
        let stored = waker.clone();
        let mut wakers = self.shared.wakers();
        let place = wakers.free.pop().unwrap_or_else(|| {
            wakers.places.push(None);
            wakers.places.len() - 1
        });
        wakers.places[place] = Some(stored);
        drop(wakers);
        self.registered = Some((place, waker.clone()));
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some((place, _)) = self.registered {
            let mut wakers = self.shared.wakers();
            let waker = wakers.places[place].take();
            wakers.free.push(place);
            drop(wakers);
            // Its destructor is the task's business, outside of the lock.
            drop(waker);
        }
    }
}

pin_project! {
    /// A connection that is served.
    #[derive(Debug)]
    pub(crate) struct Serving<C> {
        #[pin]
        connection: C,
        place: Place,
        is_ending: bool,
    }
}

impl<C: GracefulConnection> Future for Serving<C> {
    type Output = C::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<C::Output> {
        let mut this = self.project();
        if !*this.is_ending {
            this.place.register(cx.waker());
            // ORDERING: Acquire, pairs with the Release in `Ending::begin`.
            if this.place.shared.has_begun.load(Ordering::Acquire) {
                *this.is_ending = true;
                this.connection.as_mut().graceful_shutdown();
            }
        }
        this.connection.poll(cx)
    }
}
