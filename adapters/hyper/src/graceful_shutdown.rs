//! The notification of connections when their server shuts down.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use hyper_util::server::graceful::GracefulConnection;
use pin_project_lite::pin_project;

/// The state that a server shares with its connections.
#[derive(Debug, Default)]
struct ShutdownState {
    has_started: AtomicBool,
    /// The waker of each connection, at the number of the connection.
    wakers: Mutex<Wakers>,
}

#[derive(Debug, Default)]
struct Wakers {
    slots: Vec<Option<Waker>>,
    free: Vec<usize>,
}

impl ShutdownState {
    fn wakers(&self) -> MutexGuard<'_, Wakers> {
        self.wakers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Notifies the connections of a server that it shuts down.
#[derive(Debug, Default)]
pub(crate) struct ShutdownSignal(Arc<ShutdownState>);

impl ShutdownSignal {
    /// Returns the watcher for one connection.
    pub(crate) fn watcher(&self) -> ShutdownWatcher {
        ShutdownWatcher(Arc::clone(&self.0))
    }

    /// Notifies all connections, including those that are not served yet.
    pub(crate) fn notify(&self) {
        // ORDERING: Release, pairs with the Acquire in `Serving::poll`. A connection that has
        // registered its waker before this thread takes the lock is woken. One that registers later
        // sees the flag, which it checks after it has released the lock.
        self.0.has_started.store(true, Ordering::Release);
        // The wakers are taken, because a clone is foreign code, which must not run under the lock.
        let mut slots = self.0.wakers();
        let wakers: Vec<Waker> = slots.slots.iter_mut().filter_map(Option::take).collect();
        drop(slots);
        wakers.into_iter().for_each(Waker::wake);
    }
}

/// A connection's access to the shutdown state.
#[derive(Debug)]
pub(crate) struct ShutdownWatcher(Arc<ShutdownState>);

impl ShutdownWatcher {
    /// Serves the connection, and shuts it down gracefully with the server.
    pub(crate) fn serve<C>(self, connection: C) -> Serving<C> {
        Serving {
            connection,
            waker: RegisteredWaker {
                shared: self.0,
                registered: None,
            },
            is_shutting_down: false,
        }
    }
}

/// The registered waker of a connection, removed on drop.
#[derive(Debug)]
struct RegisteredWaker {
    shared: Arc<ShutdownState>,
    registered: Option<(usize, Waker)>,
}

impl RegisteredWaker {
    /// Registers the waker, unless it is registered already.
    fn register(&mut self, waker: &Waker) {
        if let Some((slot, known)) = &mut self.registered {
            if !known.will_wake(waker) {
                known.clone_from(waker);
                let waker = waker.clone();
                let old = self.shared.wakers().slots[*slot].replace(waker);
                drop(old);
            }
            return;
        }
        let stored = waker.clone();
        let mut wakers = self.shared.wakers();
        let slot = wakers.free.pop().unwrap_or_else(|| {
            wakers.slots.push(None);
            wakers.slots.len() - 1
        });
        wakers.slots[slot] = Some(stored);
        drop(wakers);
        self.registered = Some((slot, waker.clone()));
    }
}

impl Drop for RegisteredWaker {
    fn drop(&mut self) {
        if let Some((slot, _)) = self.registered {
            let mut wakers = self.shared.wakers();
            let waker = wakers.slots[slot].take();
            wakers.free.push(slot);
            drop(wakers);
            // The destructor of the waker is foreign code, which must not run under the lock.
            drop(waker);
        }
    }
}

pin_project! {
    /// A connection that is being served.
    #[derive(Debug)]
    pub(crate) struct Serving<C> {
        #[pin]
        connection: C,
        waker: RegisteredWaker,
        is_shutting_down: bool,
    }
}

impl<C: GracefulConnection> Future for Serving<C> {
    type Output = C::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<C::Output> {
        let mut this = self.project();
        if !*this.is_shutting_down {
            this.waker.register(cx.waker());
            // ORDERING: Acquire, pairs with the Release in `ShutdownSignal::notify`.
            if this.waker.shared.has_started.load(Ordering::Acquire) {
                *this.is_shutting_down = true;
                this.connection.as_mut().graceful_shutdown();
            }
        }
        this.connection.poll(cx)
    }
}
