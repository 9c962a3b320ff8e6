//! The implementation of quinn's `Runtime`.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use quinn::{AsyncTimer, AsyncUdpSocket};
use volt::Handle;

use crate::socket::Socket;
use crate::timer::Timer;

/// Runs quinn's endpoints and connections as tasks of a volt runtime, on its sockets and timers.
///
/// Pass it, in an [`Arc`], to [`quinn::Endpoint::new`] and its siblings.
#[derive(Clone, Debug, Default)]
pub struct VoltRuntime {
    handle: Option<Handle>,
}

impl VoltRuntime {
    /// Spawns tasks and creates sockets in the runtime of the thread that calls quinn.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Spawns tasks and creates sockets in this runtime, whichever thread calls quinn.
    #[must_use]
    pub fn on(handle: Handle) -> Self {
        Self {
            handle: Some(handle),
        }
    }
}

impl quinn::Runtime for VoltRuntime {
    fn new_timer(&self, deadline: Instant) -> Pin<Box<dyn AsyncTimer>> {
        Box::pin(Timer::new(deadline))
    }

    /// # Panics
    ///
    /// Panics if it has no handle and the calling thread is in no runtime.
    #[track_caller]
    fn spawn(&self, future: Pin<Box<dyn Future<Output = ()> + Send>>) {
        match &self.handle {
            Some(handle) => handle.spawn(future).detach(),
            None => volt::spawn(future).detach(),
        }
    }

    /// # Panics
    ///
    /// Panics as [`spawn`](quinn::Runtime::spawn) does.
    fn wrap_udp_socket(&self, socket: std::net::UdpSocket) -> io::Result<Arc<dyn AsyncUdpSocket>> {
        let _entered = self.handle.as_ref().map(Handle::enter);
        Ok(Arc::new(Socket::new(socket)?))
    }

    /// Returns the time of the runtime's clock, which a test may have paused.
    fn now(&self) -> Instant {
        volt::time::now()
    }
}
