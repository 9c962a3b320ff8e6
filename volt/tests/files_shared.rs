//! Handles of one open file in several runtimes and tasks.
#![cfg(all(feature = "fs", target_os = "linux", not(miri)))]

mod files_folder;

use std::future::Future;
use std::io::Read;
use std::pin::pin;
use std::sync::mpsc::channel;
use std::task::{Context, Waker};
use std::thread;
use std::time::Duration;

use files_folder::Folder;
use rustix::fs::{CWD, Mode, mkfifoat};
use volt::fs::OpenOptions;
use volt::io::{AsyncReadExt, AsyncWriteExt};
use volt::runtime::Builder;
use volt::task::yield_now;
use volt::time::timeout;
use volt::{Runtime, spawn_blocking};

fn builder() -> Builder {
    Runtime::builder().worker_threads(1).max_blocking_threads(1)
}

fn poll_once<F: Future>(future: F) -> Option<F::Output> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        std::task::Poll::Ready(output) => Some(output),
        std::task::Poll::Pending => None,
    }
}

/// The capacity of a pipe.
const CAPACITY: usize = 1 << 16;

/// The job of the first runtime writes to a full pipe, and so would write the bytes of the second
/// one too. The end of the second runtime must not return before its bytes are written.
#[test]
fn end_waits_for_writes_behind_another_runtime() {
    let folder = Folder::new();
    let path = folder.path("pipe");
    mkfifoat(CWD, &path, Mode::RUSR | Mode::WUSR).unwrap();
    let opened = thread::spawn({
        let path = path.clone();
        move || std::fs::File::open(path).unwrap()
    });
    let (first, second) = (builder().build().unwrap(), builder().build().unwrap());
    let (mut file, mut clone) = first.block_on(async {
        let options = OpenOptions::new().write(true).clone();
        let mut file = options.open(&path).await.unwrap();
        let clone = file.try_clone().await.unwrap();
        (file, clone)
    });
    let mut reader = opened.join().unwrap();
    first.block_on(async { file.write_all(&[b'1'; 2 * CAPACITY]).await.unwrap() });
    second.block_on(async { clone.write_all(b"22222").await.unwrap() });
    drop(clone);
    let (end, has_ended) = channel();
    let dropping = thread::spawn(move || {
        drop(second);
        end.send(()).unwrap();
    });
    let early = has_ended.recv_timeout(Duration::from_millis(50));
    assert!(
        early.is_err(),
        "the second runtime has ended before its write"
    );
    let mut bytes = vec![0; 2 * CAPACITY + 5];
    reader.read_exact(&mut bytes).unwrap();
    assert!(bytes.ends_with(b"122222"));
    dropping.join().unwrap();
}

/// Two handles have undone each other's reads, so the next read is not undone by reads. It is
/// undone by a later `set_len`.
#[test]
fn set_len_of_a_clone_precedes_the_read_after_it() {
    let folder = Folder::new();
    let path = folder.path("file");
    std::fs::write(&path, b"0123456789").unwrap();
    builder().build().unwrap().block_on(async {
        let options = OpenOptions::new().read(true).write(true).clone();
        let mut file = options.open(&path).await.unwrap();
        let mut clone = file.try_clone().await.unwrap();
        for turn in 0..3 {
            let reader = if turn == 1 { &mut clone } else { &mut file };
            assert!(poll_once(reader.read(&mut [0; 4])).is_none());
            // The only blocking thread has done the read before this job.
            spawn_blocking(|| ()).await.unwrap();
        }
        let (begun, has_begun) = channel();
        let (release, released) = channel::<()>();
        spawn_blocking(move || {
            begun.send(()).unwrap();
            let _ = released.recv();
        })
        .detach();
        has_begun.recv().unwrap();
        assert!(poll_once(clone.set_len(2)).is_none());
        let mut bytes = [0; 4];
        let mut read = pin!(file.read(&mut bytes));
        assert!(poll_once(read.as_mut()).is_none(), "set_len is first");
        drop(release);
        yield_now().await;
        assert_eq!(read.await.unwrap(), 2);
    });
}

/// A fifo without input blocks the thread that reads it.
#[test]
fn end_does_not_wait_for_input() {
    let folder = Folder::new();
    let path = folder.path("pipe");
    mkfifoat(CWD, &path, Mode::RUSR | Mode::WUSR).unwrap();
    let options = OpenOptions::new().read(true).write(true).clone();
    let runtime = builder().build().unwrap();
    let file = runtime.block_on(async {
        let mut file = options.open(&path).await.unwrap();
        let read = timeout(Duration::from_millis(20), file.read(&mut [0; 4])).await;
        assert!(read.is_err());
        file
    });
    let (end, has_ended) = channel();
    thread::spawn(move || {
        drop(runtime);
        end.send(()).unwrap();
    });
    let ended = has_ended.recv_timeout(Duration::from_secs(10));
    // Ends the read.
    std::fs::write(&path, b"x").unwrap();
    assert_eq!(ended, Ok(()));
    drop(file);
}
