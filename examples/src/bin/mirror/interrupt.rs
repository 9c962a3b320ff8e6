//! Ctrl-c as something to await.

use std::future::Future;
use std::io;

/// Waits for ctrl-c, from now on instead of being ended by it.
#[cfg(unix)]
pub(crate) fn ctrl_c() -> io::Result<impl Future<Output = ()>> {
    let (read, write) = std::os::unix::net::UnixStream::pair()?;
    signal_hook::low_level::pipe::register(signal_hook::consts::SIGINT, write)?;
    read.set_nonblocking(true)?;
    let read = volt::net::UnixStream::from_std(read)?;
    Ok(async move {
        // The handler writes a byte. If the byte could not be read, a user could not stop the
        // mirror.
        _ = read.read(&mut [0]).await;
    })
}

#[cfg(not(unix))]
pub(crate) fn ctrl_c() -> io::Result<impl Future<Output = ()>> {
    Ok(std::future::pending())
}
