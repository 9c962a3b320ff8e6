//! File operations that were accepted before the shutdown of their runtime.
#![cfg(all(feature = "fs", not(miri)))]

mod files_folder;

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::pin::pin;
use std::sync::mpsc::channel;
use std::task::{Context, Waker};
use std::thread;
use std::time::Duration;

use files_folder::Folder;
use volt::fs::{self, OpenOptions};
use volt::io::AsyncWriteExt;
use volt::runtime::{Builder, JobsOnDrop};
use volt::{Runtime, spawn_blocking};

const SHORT: Duration = Duration::from_millis(30);
/// Longer than any of these tests.
const FAR: Duration = Duration::from_secs(30);

fn builder() -> Builder {
    Runtime::builder().worker_threads(1).max_blocking_threads(1)
}

fn poll_once<F: Future>(future: F) {
    _ = pin!(future).poll(&mut Context::from_waker(Waker::noop()));
}

/// Writes to an existing file, and returns before the bytes are in it, because the only blocking
/// thread is busy.
async fn accepted_write(path: &Path) {
    let mut file = OpenOptions::new().write(true).open(path).await.unwrap();
    spawn_blocking(|| thread::sleep(SHORT)).detach();
    file.write_all(b"hello").await.unwrap();
}

/// Calls `run` with the path of an empty file, and expects that the file contains the bytes of
/// [`accepted_write`].
fn expect_written(run: impl FnOnce(&Path)) {
    let folder = Folder::new();
    let path = folder.path("file");
    std::fs::write(&path, b"").unwrap();
    run(&path);
    assert_eq!(std::fs::read(&path).unwrap(), b"hello");
}

#[test]
fn drop_runs_accepted_write() {
    expect_written(|path| builder().build().unwrap().block_on(accepted_write(path)));
}

#[test]
fn drop_of_local_runtime_runs_accepted_write() {
    expect_written(|path| {
        let runtime = builder().build_local().unwrap();
        runtime.block_on(accepted_write(path));
    });
}

/// No runtime of a user takes part.
#[test]
fn block_on_alone_runs_accepted_write() {
    for _ in 0..100 {
        expect_written(|path| {
            volt::block_on(async {
                let mut file = OpenOptions::new().write(true).open(path).await.unwrap();
                file.write_all(b"hello").await.unwrap();
            });
        });
    }
}

#[test]
fn shutdown_runs_accepted_write() {
    expect_written(|path| {
        let runtime = builder().build().unwrap();
        runtime.block_on(accepted_write(path));
        assert!(runtime.shutdown(FAR).tasks().is_empty());
    });
}

#[test]
fn drop_runs_accepted_write_for_each_choice() {
    let zero = JobsOnDrop::FinishWithin(Duration::ZERO);
    for choice in [JobsOnDrop::Finish, zero, JobsOnDrop::Abandon] {
        expect_written(|path| {
            let runtime = builder().jobs_on_drop(choice).build().unwrap();
            runtime.block_on(accepted_write(path));
        });
    }
}

#[test]
fn drop_in_panic_runs_accepted_write() {
    expect_written(|path| {
        let runtime = builder().build().unwrap();
        let caught = catch_unwind(AssertUnwindSafe(move || {
            runtime.block_on(accepted_write(path));
            let _runtime = runtime;
            std::panic::resume_unwind(Box::new(()));
        }));
        assert!(caught.is_err());
    });
}

/// The thread that drops the runtime is the only thread for the job that the drop waits for.
#[test]
fn drop_in_own_blocking_job_runs_accepted_write() {
    expect_written(|path| {
        let runtime = builder().build().unwrap();
        let (handle, path) = (runtime.handle().clone(), path.to_owned());
        let (ends, has_ended) = channel();
        handle
            .spawn_blocking(move || {
                runtime.block_on(async {
                    let options = OpenOptions::new().write(true).clone();
                    poll_once(options.open(&path));
                    poll_once(fs::write(path, b"hello"));
                });
                drop(runtime);
                ends.send(()).unwrap();
            })
            .detach();
        assert_eq!(has_ended.recv_timeout(FAR), Ok(()));
    });
}

#[test]
fn drop_in_own_mandatory_job_ends() {
    let runtime = builder().build().unwrap();
    let handle = runtime.handle().clone();
    let (ends, has_ended) = channel();
    handle
        .spawn_blocking_mandatory(move || {
            drop(runtime);
            ends.send(()).unwrap();
        })
        .detach();
    assert_eq!(has_ended.recv_timeout(FAR), Ok(()));
}

#[test]
fn drop_in_own_task_runs_accepted_write() {
    expect_written(|path| {
        let runtime = builder().build().unwrap();
        let (handle, path) = (runtime.handle().clone(), path.to_owned());
        let (ends, has_ended) = channel();
        handle
            .spawn(async move {
                accepted_write(&path).await;
                drop(runtime);
                ends.send(()).unwrap();
            })
            .detach();
        assert_eq!(has_ended.recv_timeout(FAR), Ok(()));
    });
}

#[test]
fn drop_in_other_runtime_runs_accepted_write() {
    expect_written(|path| {
        let outer = builder().build().unwrap();
        let path = path.to_owned();
        let task = outer.spawn(async move {
            let inner = builder().build().unwrap();
            let written = inner.spawn(async move { accepted_write(&path).await });
            written.await.unwrap();
            drop(inner);
        });
        outer.block_on(task).unwrap();
    });
}

#[test]
fn drop_in_job_of_other_runtime_runs_accepted_write() {
    expect_written(|path| {
        let outer = builder().build().unwrap();
        let path = path.to_owned();
        let job = outer.spawn_blocking(move || {
            let inner = builder().build().unwrap();
            inner.block_on(accepted_write(&path));
        });
        outer.block_on(job).unwrap();
    });
}

#[test]
fn functions_polled_once_run_at_shutdown() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    for name in ["removed", "moved", "kept"] {
        std::fs::write(path(name), name).unwrap();
    }
    std::fs::create_dir_all(path("a/b")).unwrap();
    std::fs::create_dir(path("empty")).unwrap();
    let runtime = builder().build().unwrap();
    runtime.block_on(async {
        spawn_blocking(|| thread::sleep(SHORT)).detach();
        poll_once(fs::remove_file(path("removed")));
        poll_once(fs::rename(path("moved"), path("there")));
        poll_once(fs::copy(path("kept"), path("copy")));
        poll_once(fs::hard_link(path("kept"), path("link")));
        poll_once(fs::create_dir(path("folder")));
        poll_once(fs::create_dir_all(path("x/y")));
        poll_once(fs::remove_dir(path("empty")));
        poll_once(fs::remove_dir_all(path("a")));
        poll_once(fs::write(path("written"), "text"));
        poll_once(fs::File::create(path("created")));
    });
    drop(runtime);
    let mut names: Vec<_> = std::fs::read_dir(&folder.0)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let expected = [
        "copy", "created", "folder", "kept", "link", "there", "written", "x",
    ];
    assert_eq!(names, expected);
}

/// More operations than one poll of a task has budget for.
#[test]
fn operations_beyond_the_budget_take_place() {
    let folder = Folder::new();
    std::fs::write(folder.path("file"), "").unwrap();
    let path = |n: u32| folder.path(&n.to_string());
    builder().build().unwrap().block_on(async {
        let options = OpenOptions::new().write(true).clone();
        let mut file = options.open(folder.path("file")).await.unwrap();
        for n in 0..300 {
            poll_once(fs::write(path(n), "text"));
            poll_once(file.set_len(n.into()));
        }
    });
    assert!((0..300).all(|n| std::fs::read(path(n)).unwrap() == b"text"));
    let len = std::fs::metadata(folder.path("file")).unwrap().len();
    assert_eq!(len, 299);
}

/// A write after the shutdown returns an error, so the caller knows that it failed.
#[test]
fn write_after_shutdown_is_rejected() {
    let folder = Folder::new();
    let path = folder.path("file");
    let runtime = builder().build().unwrap();
    let mut file = runtime.block_on(fs::File::create(&path)).unwrap();
    let handle = runtime.handle().clone();
    assert!(runtime.shutdown(FAR).tasks().is_empty());
    let written = handle.block_on(async {
        let written = file.write_all(b"late").await;
        written.and(file.flush().await)
    });
    assert!(written.is_err());
    let other = Runtime::new().unwrap();
    other.block_on(async {
        file.write_all(b"here").await.unwrap();
        file.flush().await.unwrap();
    });
    assert_eq!(std::fs::read(&path).unwrap(), b"here");
}

/// A task writes during the shutdown of its runtime. Every write that was ready is in the file.
#[test]
fn writes_during_shutdown_reach_the_file() {
    let folder = Folder::new();
    for round in 0..20 {
        let path = folder.path(&round.to_string());
        let runtime = builder().build().unwrap();
        let mut file = runtime.block_on(fs::File::create(&path)).unwrap();
        let (begins, has_begun) = channel();
        let (ends, has_ended) = channel();
        let writes = async move {
            let mut written = 0_u64;
            begins.send(()).unwrap();
            while file.write_all(&[7; 100]).await.is_ok() && written < 10_000 {
                written += 100;
                ends.send(written).unwrap();
            }
        };
        let task = runtime.spawn(writes);
        has_begun.recv().unwrap();
        drop(runtime);
        assert!(task.is_finished());
        let written = has_ended.try_iter().last().unwrap_or(0);
        let len = std::fs::metadata(&path).unwrap().len();
        assert!(len >= written, "{len} of {written}");
    }
}
