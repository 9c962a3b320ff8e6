//! `ExitWatcher`: waits for the exit of a child.
//!
//! If the system has descriptors of processes, the driver watches one. On other systems the signal
//! `SIGCHLD` of any child wakes all tasks that wait for a child. Each of them checks its own child.

use std::io;
use std::os::fd::OwnedFd;
use std::process::{Child, ExitStatus};
use std::task::{Context, Poll, ready};

#[cfg(not(target_os = "linux"))]
use super::exit_elsewhere as system;
#[cfg(target_os = "linux")]
use super::exit_linux as system;
use crate::io::Registered;
use crate::signal::unix::{Signal, SignalKind, signal};

/// A source that reports the exit of a child.
#[derive(Debug)]
pub(super) enum ExitWatcher {
    Descriptor(Registered<OwnedFd>),
    /// Reports the exits of all children.
    Signal(Signal),
}

impl ExitWatcher {
    /// Creates a watcher for a child whose exit was not collected.
    #[track_caller]
    pub(super) fn of(child: &Child) -> io::Result<Self> {
        match system::open(child.id()).and_then(Registered::new) {
            Ok(descriptor) => Ok(Self::Descriptor(descriptor)),
            Err(_) => Self::of_any(),
        }
    }

    #[track_caller]
    pub(super) fn of_any() -> io::Result<Self> {
        signal(SignalKind::child()).map(Self::Signal)
    }

    pub(super) fn poll(
        &mut self,
        cx: &mut Context<'_>,
        child: &mut Child,
    ) -> Poll<io::Result<ExitStatus>> {
        match self {
            Self::Descriptor(descriptor) => {
                descriptor.poll_read_io(cx, |_| match child.try_wait()? {
                    Some(status) => Ok(status),
                    None => Err(io::ErrorKind::WouldBlock.into()),
                })
            }
            Self::Signal(signal) => loop {
                // The child may have exited before the listener was created.
                if let Some(status) = child.try_wait()? {
                    return Poll::Ready(Ok(status));
                }
                ready!(signal.poll_recv(cx))?;
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::process::Command;

    use super::ExitWatcher;
    use crate::runtime::Runtime;

    /// Uses the signal, as on systems without descriptors of processes.
    #[test]
    fn signal_reports_each_exit() {
        let runtime = Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let children = ["0.02", "0", "0.05", "0.01"].map(|pause| {
                let child = Command::new("sleep").arg(pause).spawn();
                (
                    child.expect("it starts"),
                    ExitWatcher::of_any().expect("a listener"),
                )
            });
            for (mut child, mut exit) in children {
                let status = poll_fn(|cx| exit.poll(cx, &mut child)).await;
                assert!(status.expect("it ended").success());
            }
        });
    }
}
