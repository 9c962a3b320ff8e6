//! Memory: each task is freed once, and the counts detect a leak.

use crate::task::tests::support::{Probe, Queue, ready};

#[test]
fn task_is_freed_by_its_last_holder() {
    // The last holder: 0 the handle, 1 the waker, 2 the queue entry, 3 an abort handle.
    for last in 0..4 {
        for complete in [false, true] {
            let queue = Queue::new();
            let (probe, counts) = Probe::new(if complete { 2 } else { 0 }, Box::new(1));
            let handle = queue.spawn(probe);
            queue.run_all();
            let abort = handle.abort_handle();
            counts.wake_by_ref();
            let entry = queue.pop().unwrap();
            let mut holders: Vec<Box<dyn FnOnce()>> = vec![
                Box::new(move || drop(handle)),
                Box::new({
                    let counts = counts.clone();
                    move || counts.forget_waker()
                }),
                Box::new(move || drop(entry.run())),
                Box::new(move || {
                    abort.cancel();
                    drop(abort);
                }),
            ];
            let last = holders.remove(last);
            holders.into_iter().for_each(|holder| holder());
            assert_eq!(queue.allocated(), 1);
            last();
            queue.run_all();
            counts.forget_waker();
            assert_eq!(queue.allocated(), 0);
            assert_eq!(counts.drops.get(), 1);
        }
    }
}

#[test]
fn forgotten_waker_leaks_the_task() {
    let queue = Queue::new();
    let watch = queue.watch();
    let (probe, counts) = Probe::new(2, ());
    let mut handle = queue.spawn(probe);
    queue.run_all();
    let waker = counts.take_waker();
    let forgotten = waker.clone();
    waker.wake();
    queue.run_all();
    ready(&mut handle).unwrap();
    drop((handle, queue));
    assert!(watch.upgrade().is_some(), "this test cannot see leaks");
    drop(forgotten);
    assert!(watch.upgrade().is_none());
}

#[test]
fn queue_dropped_with_tasks_in_it_frees_them() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(1, ());
    let mut handle = queue.spawn(probe);
    while let Some(task) = queue.pop() {
        drop(task);
    }
    assert_eq!(counts.drops.get(), 1);
    assert!(ready(&mut handle).unwrap_err().is_cancelled());
    assert_eq!(queue.allocated(), 0);
}

/// Runs in a child process, because the overflow aborts the process.
#[test]
#[cfg_attr(miri, ignore = "starts a process")]
fn reference_overflow_aborts_the_process() {
    const CHILD: &str = "VOLT_TEST_OVERFLOW";
    if std::env::var_os(CHILD).is_some() {
        let queue = Queue::new();
        let (probe, counts) = Probe::new(0, ());
        let handle = queue.spawn(probe);
        queue.run_all();
        let (task, waker) = (handle.task_ref(), counts.take_waker());
        task.pretend_references(1 << 31);
        std::mem::forget(waker.clone());
        // The destructors must not run with the wrong count.
        std::process::exit(0);
    }
    let name = "task::tests::life::free::reference_overflow_aborts_the_process";
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args([name, "--exact"])
        .env(CHILD, "1")
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    use std::os::unix::process::ExitStatusExt;
    assert_eq!(status.signal(), Some(6), "{status}");
}
