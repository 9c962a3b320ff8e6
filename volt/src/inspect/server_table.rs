//! The servers of the runtimes of this process.
//!
//! The table is a static of each process: a fork has no threads of its parent, so it has no servers
//! either.

use std::collections::HashMap;
use std::io;
use std::num::NonZeroUsize;

use super::inspect_address::InspectEndpoint;
use super::inspect_server::{BoundServer, InspectServer};
use super::resource::InspectSource;
use crate::loom::PerProcess;

/// The server of each runtime, by the id of the runtime.
static SERVERS: PerProcess<HashMap<NonZeroUsize, InspectServer>> = PerProcess::new();

/// Starts the server of a runtime, which has none yet.
pub(crate) fn serve(
    runtime: NonZeroUsize,
    server: BoundServer,
    source: Box<dyn InspectSource>,
) -> io::Result<()> {
    let mut servers = SERVERS.lock();
    if let Some(running) = servers.get(&runtime) {
        let text = format!("the runtime is already inspected at {}", running.endpoint());
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, text));
    }
    servers.insert(runtime, server.start(source)?);
    Ok(())
}

/// Returns `true` if a runtime of this process has a server.
pub(crate) fn is_serving() -> bool {
    !SERVERS.lock().is_empty()
}

/// Returns the socket of a runtime's server, if it has one.
pub(crate) fn endpoint(runtime: NonZeroUsize) -> Option<InspectEndpoint> {
    let servers = SERVERS.lock();
    servers
        .get(&runtime)
        .map(|server| server.endpoint().clone())
}

/// Stops the server of a runtime, if it has one.
pub(crate) fn stop(runtime: NonZeroUsize) {
    let server = SERVERS.lock().remove(&runtime);
    if let Some(server) = server {
        server.stop();
    }
}
