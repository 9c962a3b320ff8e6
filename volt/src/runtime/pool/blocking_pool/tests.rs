//! The queue of a blocking pool, after joins that run a queued job.

use crate::runtime::{Builder, Handle, spawn_blocking};

#[test]
fn join_of_queued_job_removes_its_entry() {
    let builder = Builder::new().worker_threads(1).max_blocking_threads(1);
    let runtime = builder.build().unwrap();
    let outer = runtime.spawn_blocking(|| {
        let entries = || Handle::current().blocking.state.lock().jobs.queued();
        let first = spawn_blocking(|| ());
        for _ in 0..100 {
            spawn_blocking(|| ()).join().unwrap();
            assert_eq!(entries(), 1);
        }
        let cancelled = spawn_blocking(|| ());
        cancelled.cancel();
        assert!(cancelled.join().unwrap_err().is_cancelled());
        assert_eq!(entries(), 1);
        first.join().unwrap();
        assert_eq!(entries(), 0);
    });
    outer.join().unwrap();
}
