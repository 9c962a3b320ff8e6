//! `ctrl_c`: a future of the signal `SIGINT`.

use std::future::Future;
use std::io;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use volt_inspect::{Inspect, Inspector, Node, Wait, register_unpin, registrable};

use super::listener_registry::Listener;
use super::unix::{Signal, SignalKind};
use crate::runtime::context;
use crate::task::poll_spent;

/// Waits for ctrl-c: the signal `SIGINT`.
///
/// A ctrl-c after this call counts, even before the first poll. From this call on, ctrl-c no longer
/// ends the process, even after the future is dropped: the program must end by itself. The future
/// can be polled again after it was ready, and then waits for the next ctrl-c.
///
/// # Errors
///
/// Returns an error if the process is out of descriptors, or if the runtime was shut down.
///
/// # Panics
///
/// The future panics if it is polled on a thread that is in no runtime.
///
/// # Cancel safety
///
/// Dropping the future loses a ctrl-c that has arrived since its creation. A loop that must not
/// miss one uses the same future, or the same [`Signal`], in all its iterations.
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
    register_unpin::<CtrlC>();
    CtrlC {
        state: CtrlCState::Unpolled(Listener::new(SignalKind::interrupt().as_raw_value())),
        made_at: Location::caller(),
    }
}

/// The future of [`ctrl_c`](fn@ctrl_c), under the function's own name.
#[doc(hidden)]
#[allow(non_camel_case_types, reason = "the type has the name of its function")]
pub type ctrl_c = CtrlC;

/// The future of [`ctrl_c`](fn@ctrl_c).
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

impl Inspect for CtrlC {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        inspector.node(&Node::new("CtrlC"), |inspector| {
            inspector.waits(Wait::Signal);
        });
    }
}

registrable!(CtrlC);

impl Future for CtrlC {
    type Output = io::Result<()>;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if let CtrlCState::Listening(signal) = &mut self.state {
            return signal.poll_recv(cx);
        }
        // If the creation of the listener has failed, the future is ready without a wait.
        ready!(poll_spent(cx));
        match std::mem::replace(&mut self.state, CtrlCState::Failed) {
            CtrlCState::Unpolled(caught) => self.listen(caught)?,
            _ => {
                return Poll::Ready(Err(io::Error::other(
                    "no listener for ctrl-c could be created",
                )));
            }
        }
        self.poll(cx)
    }
}
