//! Children that nobody waits for any more.

use std::future::Future;
use std::pin::Pin;
use std::process::Child;
use std::task::{Context, Poll};

use super::exit_watcher::ExitWatcher;
use crate::loom::PerProcess;
use crate::runtime::Handle;

/// Those whose runtime is gone, until the next child is started.
static ORPHANS: PerProcess<Vec<Child>> = PerProcess::new();

/// Sees to it that a child which was not waited for leaves no zombie.
pub(super) fn reap_in_background(mut child: Child, exit: ExitWatcher, runtime: &Handle) {
    if !matches!(child.try_wait(), Ok(None)) {
        return;
    }
    let name = format!("volt: wait for process {}", child.id());
    let left = ReapTask {
        child: Some(child),
        exit,
    };
    runtime.spawn_named(name, left).detach();
}

/// Collects those that have ended meanwhile.
pub(super) fn reap_orphans() {
    let mut children = ORPHANS.lock();
    children.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
}

/// Waits for a child, as a task.
#[derive(Debug)]
struct ReapTask {
    /// There until it has ended.
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
            // The runtime has shut down; the drop does the rest.
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
