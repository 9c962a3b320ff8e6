//! `Child`: a child process.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::process::ExitStatus;
use std::task::{Context, Poll, ready};

use volt_inspect::{Inspect, Inspector, Node, register, registrable};

use super::exit_watcher::ExitWatcher;
use super::pipes::{ChildStderr, ChildStdin, ChildStdout};
use super::reaper;
use crate::runtime::Handle;
use crate::task::poll_leaf;

/// A child process that [`Command::spawn`](super::command::Command::spawn) has started.
///
/// Dropping it does not end the process, unless
/// [`kill_on_drop`](super::command::Command::kill_on_drop) is set. It leaves no zombie.
pub struct Child {
    /// The standard input of the child, if it is a pipe. It can be moved out.
    pub stdin: Option<ChildStdin>,
    /// The standard output of the child, if it is a pipe. It can be moved out.
    pub stdout: Option<ChildStdout>,
    /// The standard error of the child, if it is a pipe. It can be moved out.
    pub stderr: Option<ChildStderr>,
    state: ChildState,
    pub(super) kill_on_drop: bool,
    runtime: Handle,
}

enum ChildState {
    /// The exit of the process was not collected yet.
    Running(std::process::Child, ExitWatcher),
    Ended(ExitStatus),
    /// A task collects the exit of the process.
    Detached,
}

impl Child {
    /// Registers a child and its pipes with the driver.
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
            // Until all pipes are registered, an error must end the process, because the caller
            // gets no `Child`.
            kill_on_drop: true,
            runtime: Handle::current(),
        };
        this.stdin = pipes.0.map(ChildStdin::new).transpose()?;
        this.stdout = pipes.1.map(ChildStdout::new).transpose()?;
        this.stderr = pipes.2.map(ChildStderr::new).transpose()?;
        this.kill_on_drop = kill_on_drop;
        Ok(this)
    }

    /// Returns the process id. Returns `None` after the exit was collected, because another process
    /// may then have the id.
    pub fn id(&self) -> Option<u32> {
        match &self.state {
            ChildState::Running(child, _) => Some(child.id()),
            ChildState::Ended(_) | ChildState::Detached => None,
        }
    }

    /// Waits for the exit of the process, and returns its status. The standard input is dropped
    /// first, because a process that reads all of its input would otherwise never exit.
    ///
    /// # Errors
    ///
    /// Fails as `waitpid` does. Returns an error if the runtime was shut down.
    ///
    /// # Cancel safety
    ///
    /// Cancel safe: another call continues the wait. The standard input is dropped at the first
    /// poll.
    pub fn wait(&mut self) -> Wait<'_> {
        register::<Wait<'_>>();
        Wait { child: self }
    }

    /// Polls for the exit of the process; see [`wait`](Self::wait).
    ///
    /// # Errors
    ///
    /// Fails as `waitpid` does. Returns an error if the runtime was shut down.
    pub fn poll_wait(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<ExitStatus>> {
        self.stdin = None;
        // A child that has exited is ready at each poll.
        poll_leaf(cx, |cx| self.poll_end(cx))
    }

    /// Reports to the current node of an inspector that it waits for the exit of the process.
    pub(super) fn report_wait(&self, inspector: &mut Inspector<'_>) {
        if let Some(id) = self.id() {
            inspector.waits(volt_inspect::Wait::Process { id });
        }
    }

    fn poll_end(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<ExitStatus>> {
        let status = match &mut self.state {
            ChildState::Running(child, exit) => ready!(exit.poll(cx, child))?,
            ChildState::Ended(status) => *status,
            ChildState::Detached => {
                return Poll::Ready(Err(io::Error::other("the child was dropped")));
            }
        };
        self.state = ChildState::Ended(status);
        Poll::Ready(Ok(status))
    }

    /// Returns the status of the process if it has exited.
    ///
    /// # Errors
    ///
    /// Fails as `waitpid` does.
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

    /// Kills the process, and does not wait for its exit.
    ///
    /// Does nothing if the process has exited, as [`std::process::Child::kill`].
    ///
    /// # Errors
    ///
    /// Fails as [`std::process::Child::kill`] does.
    pub fn start_kill(&mut self) -> io::Result<()> {
        match &mut self.state {
            ChildState::Running(child, _) => child.kill(),
            ChildState::Ended(_) | ChildState::Detached => Ok(()),
        }
    }

    /// Kills the process, and waits for its exit.
    ///
    /// # Errors
    ///
    /// Fails as [`start_kill`](Self::start_kill) and [`wait`](Self::wait) do.
    ///
    /// # Cancel safety
    ///
    /// The process is killed at the first poll. A call of [`wait`](Self::wait) continues the wait.
    pub fn kill(&mut self) -> Kill<'_> {
        register::<Kill<'_>>();
        Kill {
            child: self,
            is_killed: false,
        }
    }
}

/// Kills a child that cannot be watched.
#[cold]
fn give_up(mut child: std::process::Child, error: io::Error) -> io::Error {
    // The process exits at once. The caller gets the error of the registration.
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
            // An error means that the process has just exited.
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

impl Inspect for Wait<'_> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        inspector.node(&Node::new("Wait"), |inspector| {
            self.child.report_wait(inspector);
        });
    }
}

registrable!(Wait<'a>);

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

impl Inspect for Kill<'_> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        inspector.node(&Node::new("Kill"), |inspector| {
            self.child.report_wait(inspector);
        });
    }
}

registrable!(Kill<'a>);

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
