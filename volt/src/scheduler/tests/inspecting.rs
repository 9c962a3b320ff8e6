//! The thread on which a job polls tasks for an inspection.

use std::future::{Future, poll_fn};
use std::panic::Location;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, channel};
use std::task::{Context, Poll, Waker};
use std::thread;

use crate::driver::Driver;
use crate::scheduler::inspection_job::InspectionJob;
use crate::scheduler::local::LocalWorker;
use crate::scheduler::{BlockingFuture, Config, JobReport, SchedulerHandle};
use crate::task::{OrphanPolls, yield_now};

/// Returns a job that polls all tasks of a scheduler.
fn job(handle: &SchedulerHandle) -> (InspectionJob, Receiver<JobReport>) {
    let mut tasks = Vec::new();
    handle.registry().for_each(|task| tasks.push(task.clone()));
    assert_eq!(tasks.len(), 1);
    let (reports, received) = channel();
    let job = InspectionJob::new(handle.clone(), tasks, OrphanPolls::Refused, reports);
    (job, received)
}

/// A future that no dump inspects.
struct Uninspected<'a>(Pin<Box<dyn Future<Output = ()> + 'a>>);

impl Future for Uninspected<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.0.as_mut().poll(cx)
    }
}

impl BlockingFuture for Uninspected<'_> {
    fn inspect(self: Pin<&mut Self>) {}

    fn set_polled(self: Pin<&mut Self>, _: u32) {}
}

fn block_on<'a>(worker: &LocalWorker, future: impl Future<Output = ()> + 'a) {
    worker.block_on(Uninspected(Box::pin(future)));
}

#[test]
fn local_task_is_polled_on_its_own_thread_only() {
    let (driver, driver_handle) = Driver::new().unwrap();
    let worker = LocalWorker::new(Config::new(1), driver, driver_handle);
    let handle = worker.handle().clone();
    let polls = Arc::new(AtomicUsize::new(0));
    let (counted, mut stored) = (polls.clone(), None);
    let waits = poll_fn(move |cx| -> Poll<()> {
        counted.fetch_add(1, SeqCst);
        drop(stored.replace(cx.waker().clone()));
        Poll::Pending
    });
    let task = handle.spawn(waits, Location::caller());
    block_on(&worker, async {
        while polls.load(SeqCst) == 0 {
            yield_now().await;
        }
    });

    let (elsewhere, received) = job(&handle);
    let polled = thread::spawn(move || {
        let polled = pin!(elsewhere).poll(&mut Context::from_waker(Waker::noop()));
        polled.is_ready()
    });
    assert!(polled.join().unwrap(), "the job ends");
    assert_eq!(received.iter().count(), 0);
    assert_eq!(polls.load(SeqCst), 1);

    let (here, received) = job(&handle);
    block_on(&worker, here);
    assert_eq!(
        received.iter().count(),
        2,
        "the begin and the end of a poll"
    );
    assert_eq!(polls.load(SeqCst), 2);
    task.cancel();
    block_on(&worker, async {
        while !task.is_finished() {
            yield_now().await
        }
    });
}
