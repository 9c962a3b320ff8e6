//! `Handle::inspect`: the inspection server of a running runtime.

use std::io;

use super::handle::Handle;
use crate::inspect::{self, BoundServer, InspectAddress, InspectEndpoint, InspectSource, Resource};

impl Handle {
    /// Starts an inspection server, which ends with the runtime. Returns its socket.
    ///
    /// [`Builder::inspect`](super::Builder::inspect) describes the server.
    ///
    /// # Errors
    ///
    /// Returns an error if the address cannot be bound, or if the system starts no thread. Returns
    /// an [`AlreadyExists`](io::ErrorKind::AlreadyExists) error if the runtime has a server, and a
    /// [`NotConnected`](io::ErrorKind::NotConnected) error if the runtime has shut down or belongs
    /// to the parent process.
    ///
    /// # Examples
    ///
    /// ```
    /// let runtime = volt::Runtime::new()?;
    /// let endpoint = runtime.handle().inspect(0)?;
    /// println!("open {endpoint}");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn inspect(&self, address: impl Into<InspectAddress>) -> io::Result<InspectEndpoint> {
        let server = BoundServer::bind(address.into())?;
        let endpoint = server.endpoint().clone();
        Inspection::bound(server).start(self)?;
        Ok(endpoint)
    }

    /// Returns the socket of the inspection server, or `None` if the runtime has none.
    #[must_use]
    pub fn inspect_endpoint(&self) -> Option<InspectEndpoint> {
        inspect::endpoint(self.scheduler.runtime_id())
    }

    /// Ends the inspection server of the runtime, if it has one.
    pub(super) fn stop_inspection(&self) {
        inspect::stop(self.scheduler.runtime_id());
    }
}

/// The server of a runtime that is being built, if it has one.
pub(super) struct Inspection(Option<BoundServer>);

impl Inspection {
    pub(super) fn bound(server: BoundServer) -> Self {
        Self(Some(server))
    }

    /// Binds the address that the environment sets, and prints the result.
    pub(super) fn from_environment() -> Self {
        let Some(address) = InspectAddress::from_environment() else {
            return Self(None);
        };
        match BoundServer::bind(address) {
            Ok(server) => {
                eprintln!("volt: inspection server at {}", server.endpoint());
                Self(Some(server))
            }
            // Another runtime of this process has the address.
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && inspect::is_serving() => {
                Self(None)
            }
            Err(error) => {
                eprintln!("volt: {error}");
                Self(None)
            }
        }
    }

    /// Starts the thread of the server.
    pub(super) fn start(self, handle: &Handle) -> io::Result<()> {
        let Some(server) = self.0 else { return Ok(()) };
        let runtime = handle.scheduler.runtime_id();
        if !handle.driver().is_inherited() {
            inspect::serve(runtime, server, Box::new(RuntimeSource(handle.clone())))?;
            if !handle.scheduler.is_stopping() {
                return Ok(());
            }
            // The drop of the runtime may have looked for the server before it was there.
            inspect::stop(runtime);
        }
        Err(io::Error::new(
            io::ErrorKind::NotConnected,
            "a runtime that has shut down, or belongs to the parent process, is not inspected",
        ))
    }
}

/// A runtime, as the source of the server's data.
struct RuntimeSource(Handle);

impl InspectSource for RuntimeSource {
    fn render(&self, resource: &Resource) -> Option<String> {
        let dump = self.0.dump();
        match resource {
            Resource::DumpText(None) => Some(dump.to_string()),
            _ => None,
        }
    }
}
