//! The key that ends a program.

use std::future::Future;
use std::io;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::listener_registry::Listener;
use super::unix::{Signal, SignalKind};
use crate::runtime::context;
use crate::task::poll_spent;

/// Waits for ctrl-c: the signal `SIGINT`.
///
/// It counts from this call, not from the first poll. From then on ctrl-c no longer ends the process,
/// also after this is dropped: a program that has asked for it has to end by itself. Polled again
/// after it was ready, it waits for the next one.
///
/// # Errors
///
/// Fails when the process is out of descriptors, or the runtime has shut down.
///
/// # Panics
///
/// The future panics when it is polled on a thread that is in no runtime.
///
/// # Cancel safety
///
/// A ctrl-c that came before the future is dropped is lost with it. A loop that must miss none keeps
/// one future, or one [`Signal`], for all its turns.
///
/// # Examples
///
/// ```
/// use volt::future::race;
/// use volt::signal::ctrl_c;
///
/// async fn serve() -> std::io::Result<()> {
///     # std::future::pending::<()>().await;
///     Ok(())
/// }
///
/// volt::block_on(async {
///     let stop = ctrl_c();
///     # signal_hook::low_level::raise(2)?;
///     race(serve(), stop).await
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[track_caller]
pub fn ctrl_c() -> CtrlC {
    CtrlC {
        state: CtrlCState::Unpolled(Listener::new(SignalKind::interrupt().as_raw_value())),
        made_at: Location::caller(),
    }
}

/// The future of [`ctrl_c`](fn@ctrl_c), under the function's own name.
#[allow(
    non_camel_case_types,
    reason = "the type stands under its function's name"
)]
pub type ctrl_c = CtrlC;

/// A wait for ctrl-c; see [`ctrl_c`](fn@ctrl_c).
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct CtrlC {
    state: CtrlCState,
    made_at: &'static Location<'static>,
}

#[derive(Debug)]
enum CtrlCState {
    Unpolled(io::Result<Listener>),
    Listening(Signal),
    Failed,
}

impl CtrlC {
    #[track_caller]
    fn listen(&mut self, listener: io::Result<Listener>) -> io::Result<()> {
        let listener = listener?;
        let driver = context::driver_for(self.made_at);
        let signal = Signal::new(driver, SignalKind::interrupt(), listener)?;
        self.state = CtrlCState::Listening(signal);
        Ok(())
    }
}

impl Future for CtrlC {
    type Output = io::Result<()>;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if let CtrlCState::Listening(signal) = &mut self.state {
            return signal.poll_recv(cx);
        }
        // A listener that cannot be made is ready without having waited.
        ready!(poll_spent(cx));
        match std::mem::replace(&mut self.state, CtrlCState::Failed) {
            CtrlCState::Unpolled(caught) => self.listen(caught)?,
            _ => return Poll::Ready(Err(io::Error::other("ctrl-c could not be listened for"))),
        }
        self.poll(cx)
    }
}
