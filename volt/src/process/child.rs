//! A child: another program that this one has started.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::process::ExitStatus;
use std::task::{Context, Poll, ready};

use super::exit_watcher::ExitWatcher;
use super::pipes::{ChildStderr, ChildStdin, ChildStdout};
use super::reaper;
use crate::runtime::Handle;
use crate::task::poll_leaf;

/// A program that was started by [`Command::spawn`](super::command::Command::spawn).
///
/// Dropping it leaves the program running, unless
/// [`kill_on_drop`](super::command::Command::kill_on_drop) was set, and leaves no zombie behind.
pub struct Child {
    /// Its standard input, if that is a pipe. It can be taken out.
    pub stdin: Option<ChildStdin>,
    /// Its standard output, if that is a pipe. It can be taken out.
    pub stdout: Option<ChildStdout>,
    /// Its standard error, if that is a pipe. It can be taken out.
    pub stderr: Option<ChildStderr>,
    state: ChildState,
    pub(super) kill_on_drop: bool,
    runtime: Handle,
}

enum ChildState {
    /// It was not waited for to the end.
    Running(std::process::Child, ExitWatcher),
    Ended(ExitStatus),
    /// Somebody else waits for it now.
    Detached,
}

impl Child {
    /// Has the driver watch a child and its pipes.
    #[track_caller]
    pub(super) fn new(mut child: std::process::Child, kill_on_drop: bool) -> io::Result<Self> {
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let exit = match ExitWatcher::of(&child) {
            Ok(exit) => exit,
            Err(error) => return Err(give_up(child, error)),
        };
        let mut this = Self {
            stdin: None,
            stdout: None,
            stderr: None,
            state: ChildState::Running(child, exit),
            // Until it is whole: an error must leave no child behind of which nobody knows.
            kill_on_drop: true,
            runtime: Handle::current(),
        };
        this.stdin = pipes.0.map(ChildStdin::new).transpose()?;
        this.stdout = pipes.1.map(ChildStdout::new).transpose()?;
        this.stderr = pipes.2.map(ChildStderr::new).transpose()?;
        this.kill_on_drop = kill_on_drop;
        Ok(this)
    }

    /// Its number in the system, until it was waited for: after that it may be another one's.
    pub fn id(&self) -> Option<u32> {
        match &self.state {
            ChildState::Running(child, _) => Some(child.id()),
            ChildState::Ended(_) | ChildState::Detached => None,
        }
    }

    /// Waits until it has ended, and says how. Its standard input is dropped first: a program that
    /// reads to the end of it would never end.
    ///
    /// # Errors
    ///
    /// Fails as the system's `waitpid` does, or when the runtime has shut down.
    ///
    /// # Cancel safety
    ///
    /// Cancel safe: another call goes on waiting. The standard input is gone from the first poll on.
    pub fn wait(&mut self) -> Wait<'_> {
        Wait { child: self }
    }

    /// Does what [`wait`](Self::wait) does.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn poll_wait(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<ExitStatus>> {
        self.stdin = None;
        // A child that has ended is ready at once, each time.
        poll_leaf(cx, |cx| self.poll_end(cx))
    }

    fn poll_end(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<ExitStatus>> {
        let status = match &mut self.state {
            ChildState::Running(child, exit) => ready!(exit.poll(cx, child))?,
            ChildState::Ended(status) => *status,
            ChildState::Detached => {
                return Poll::Ready(Err(io::Error::other("the child was left alone")));
            }
        };
        self.state = ChildState::Ended(status);
        Poll::Ready(Ok(status))
    }

    /// How it has ended, if it has.
    ///
    /// # Errors
    ///
    /// Fails as the system's `waitpid` does.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        match &mut self.state {
            ChildState::Running(child, _) => {
                let status = child.try_wait()?;
                if let Some(status) = status {
                    self.state = ChildState::Ended(status);
                }
                Ok(status)
            }
            ChildState::Ended(status) => Ok(Some(*status)),
            ChildState::Detached => Ok(None),
        }
    }

    /// Ends it by force, and does not wait until it has ended.
    ///
    /// # Errors
    ///
    /// Fails with [`InvalidInput`](io::ErrorKind::InvalidInput) when it was waited for already, or as
    /// the system's `kill` does.
    pub fn start_kill(&mut self) -> io::Result<()> {
        match &mut self.state {
            ChildState::Running(child, _) => child.kill(),
            ChildState::Ended(_) | ChildState::Detached => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    /// Ends it by force, and waits until it has ended.
    ///
    /// # Errors
    ///
    /// As [`start_kill`](Self::start_kill) and [`wait`](Self::wait).
    ///
    /// # Cancel safety
    ///
    /// It is ended at the first poll; another call goes on waiting.
    pub fn kill(&mut self) -> Kill<'_> {
        Kill {
            child: self,
            is_killed: false,
        }
    }
}

/// Ends a child that cannot be watched.
#[cold]
fn give_up(mut child: std::process::Child, error: io::Error) -> io::Error {
    // It ends at once. The error is what the caller is told of.
    let _ = child.kill();
    let _ = child.wait();
    error
}

impl Drop for Child {
    fn drop(&mut self) {
        let ChildState::Running(mut child, exit) =
            std::mem::replace(&mut self.state, ChildState::Detached)
        else {
            return;
        };
        if self.kill_on_drop {
            // It may have ended just now.
            let _ = child.kill();
        }
        reaper::reap_in_background(child, exit, &self.runtime);
    }
}

impl fmt::Debug for Child {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = match &self.state {
            ChildState::Ended(status) => Some(status),
            ChildState::Running(..) | ChildState::Detached => None,
        };
        f.debug_struct("Child")
            .field("id", &self.id())
            .field("status", &status)
            .field("kill_on_drop", &self.kill_on_drop)
            .finish_non_exhaustive()
    }
}

/// The future of [`Child::wait`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Wait<'a> {
    child: &'a mut Child,
}

impl Future for Wait<'_> {
    type Output = io::Result<ExitStatus>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.get_mut().child.poll_wait(cx)
    }
}

/// The future of [`Child::kill`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Kill<'a> {
    child: &'a mut Child,
    is_killed: bool,
}

impl Future for Kill<'_> {
    type Output = io::Result<()>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        poll_leaf(cx, |cx| {
            if !self.is_killed {
                self.child.start_kill()?;
                self.is_killed = true;
            }
            self.child.poll_wait(cx).map_ok(drop)
        })
    }
}
