//! `Handle::dump_by_poll`: a dump whose trees are completed by inspection polls.

use std::time::Instant;

use super::frame_tree::FrameTrees;
use super::poll_limits::PollLimits;
use super::poll_round::PollRound;
use crate::runtime::dump::dump::Dump;
use crate::runtime::dump::poll_report::{PollReport, UnreachedReason};
use crate::runtime::handle::Handle;

impl Handle {
    /// Polls the idle tasks once, and returns a dump with the functions that wait.
    ///
    /// A [dump](Self::dump) knows the futures that implement [`Inspect`](volt_inspect::Inspect). It
    /// does not see into plain `async` blocks, `dyn Future` and most futures of other crates. So a
    /// worker polls each idle task once, with a waker that records where it is cloned. A future
    /// that waits clones the waker of a poll. The functions on the stack at that time, with their
    /// files and lines, are added to the tree of the task, below the last future that the tree
    /// knows.
    ///
    /// The poll is an ordinary one for the future: a future whose event has arrived proceeds, and
    /// may complete. The number of polls of a task and the time of its last poll do not change. The
    /// hooks of the [`Builder`](crate::Builder) are not called. Futures that their parent does not
    /// poll are not found, such as those of a set that were not woken, and futures that keep an
    /// earlier waker.
    ///
    /// The threads in `block_on` poll their futures in the same way.
    ///
    /// [`Dump::poll_report`] names the tasks that were not polled. The call blocks until the tasks
    /// are polled, at most for the [time limit](PollLimits::within), and until the names of the
    /// functions are found. So do not call it on the only worker of a runtime: call it from another
    /// thread, or in [`spawn_blocking`](crate::spawn_blocking).
    ///
    /// Lines need debug information: at least `debug = "line-tables-only"` in the profile.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::future::pending;
    /// use std::time::Duration;
    /// use volt::runtime::PollLimits;
    /// use volt::time::sleep;
    ///
    /// async fn wait_for_news() {
    ///     sleep(Duration::from_secs(3600)).await;
    /// }
    ///
    /// let runtime = volt::Runtime::new()?;
    /// runtime.spawn(async { wait_for_news().await }).detach();
    /// # std::thread::sleep(Duration::from_millis(50));
    /// let dump = runtime.dump_by_poll(&PollLimits::default());
    /// assert_eq!(dump.poll_report().expect("this is a dump by poll").polled, 1);
    /// assert!(dump.to_string().contains("wait_for_news"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn dump_by_poll(&self, limits: &PollLimits) -> Dump {
        let mut round = PollRound::run(&self.scheduler, limits);
        let mut dump = match limits.only {
            Some(id) => self.dump_task(id).unwrap_or_else(|| self.empty_dump()),
            None => self.dump(),
        };
        let begin = Instant::now();
        let mut trees = FrameTrees::new(&mut dump);
        for index in 0..trees.len() {
            let (id, polls) = trees.task(index);
            let Some(traces) = round.traces.remove(&id) else {
                continue;
            };
            if traces.polls == polls {
                trees.add(index, &traces);
                round.report.clones.insert(id, traces.clones);
            } else if id.is_registered() {
                round.report.polled -= 1;
                round.add_unreached(&[id], UnreachedReason::PolledSince);
            }
        }
        // The functions of the polls are places of awaited tasks, too.
        dump.forest.add_awaited_places(&dump.tasks);
        round.report.resolve_time = begin.elapsed();
        dump.by_poll = Some(round.report);
        dump
    }
}

impl Dump {
    /// Returns the account of the inspection polls, if the dump is a
    /// [dump by poll](Handle::dump_by_poll).
    #[must_use]
    pub fn poll_report(&self) -> Option<&PollReport> {
        self.by_poll.as_ref()
    }
}
