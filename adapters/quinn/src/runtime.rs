//! What quinn asks of a runtime.

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
/// It goes into [`quinn::Endpoint::new`] and its siblings, behind an [`Arc`].
#[derive(Clone, Debug, Default)]
pub struct VoltRuntime {
    handle: Option<Handle>,
}

impl VoltRuntime {
    /// Spawns and makes sockets in the runtime of the thread that calls quinn.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Spawns and makes sockets in this runtime, from whatever thread quinn is called.
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
    /// Panics without a handle of its own on a thread that is in no runtime.
    #[track_caller]
    fn spawn(&self, future: Pin<Box<dyn Future<Output = ()> + Send>>) {
        match &self.handle {
            Some(handle) => handle.spawn(future).detach(),
            None => volt::spawn(future).detach(),
        }
    }

    /// # Panics
    ///
    /// As [`spawn`](quinn::Runtime::spawn).
    fn wrap_udp_socket(&self, socket: std::net::UdpSocket) -> io::Result<Arc<dyn AsyncUdpSocket>> {
        let _entered = self.handle.as_ref().map(Handle::enter);
        Ok(Arc::new(Socket::new(socket)?))
    }

    /// The time by the clock of the thread's runtime, which a test may have paused.
    fn now(&self) -> Instant {
        volt::time::now()
    }
}
