//! Collects the exits of children whose `Child` was dropped, so that they leave no zombies.

use std::future::Future;
use std::pin::Pin;
use std::process::Child;
use std::task::{Context, Poll};

use super::exit_watcher::ExitWatcher;
use crate::loom::PerProcess;
use crate::runtime::Handle;

/// Children whose runtime was shut down. The next start of a child checks them.
static ORPHANS: PerProcess<Vec<Child>> = PerProcess::new();

/// Collects the exit of a child, by a task if the child still runs.
pub(super) fn reap_in_background(mut child: Child, exit: ExitWatcher, runtime: &Handle) {
    if !matches!(child.try_wait(), Ok(None)) {
        return;
    }
    let name = format!("volt: wait for process {}", child.id());
    let task = ReapTask {
        child: Some(child),
        exit,
    };
    runtime.spawn_named(name, task).detach();
}

/// Collects the exits of children whose runtime was shut down.
pub(super) fn reap_orphans() {
    let mut children = ORPHANS.lock();
    children.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
}

/// A task that waits for the exit of a child.
#[derive(Debug)]
struct ReapTask {
    /// `None` after the exit.
    child: Option<Child>,
    exit: ExitWatcher,
}

impl Future for ReapTask {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        let Some(child) = &mut this.child else {
            return Poll::Ready(());
        };
        match this.exit.poll(cx, child) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(Ok(_)) => {
                this.child = None;
                Poll::Ready(())
            }
            // The runtime was shut down. The drop stores the child.
            Poll::Ready(Err(_)) => Poll::Ready(()),
        }
    }
}

impl Drop for ReapTask {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take()
            && matches!(child.try_wait(), Ok(None))
        {
            ORPHANS.lock().push(child);
        }
    }
}
