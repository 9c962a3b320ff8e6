//! Operations on files that need no blocking job, because the bytes are in the page cache.
#![cfg(all(feature = "fs", target_os = "linux", not(miri)))]

mod files_folder;

use std::future::{Future, poll_fn};
use std::io::{IoSliceMut, SeekFrom};
use std::path::Path;
use std::pin::{Pin, pin};
use std::sync::mpsc::channel;
use std::task::{Context, Poll, Waker};

use files_folder::Folder;
use rustix::io::{ReadWriteFlags, preadv2};
use volt::fs::File;
use volt::io::{AsyncRead, AsyncReadExt, AsyncSeekExt};
use volt::task::yield_now;

fn poll_once<F: Future>(future: F) -> Poll<F::Output> {
    pin!(future).poll(&mut Context::from_waker(Waker::noop()))
}

/// Writes a file of these bytes. Returns `false` if its file system has no reads that never wait.
fn write_cached(path: &Path, bytes: &[u8]) -> bool {
    std::fs::write(path, bytes).unwrap();
    let file = std::fs::File::open(path).unwrap();
    let read = preadv2(
        &file,
        &mut [IoSliceMut::new(&mut [0])],
        0,
        ReadWriteFlags::NOWAIT,
    );
    if let Err(error) = read {
        eprintln!(
            "skipped: the file system of {} has no such reads: {error}",
            path.display()
        );
    }
    read.is_ok()
}

/// Opens the file and reads its first byte, after which the file knows what it supports.
async fn open_probed(path: &Path) -> File {
    let mut file = File::open(path).await.unwrap();
    file.read_exact(&mut [0]).await.unwrap();
    file
}

#[test]
fn cached_read_is_ready_at_its_first_poll() {
    let folder = Folder::new();
    let path = folder.path("cached");
    if !write_cached(&path, b"0123456789") {
        return;
    }
    volt::Runtime::new().unwrap().block_on(async {
        let mut file = open_probed(&path).await;
        // The job of the first read may still check its queue.
        let ready = (0..1_000).find_map(|_| match poll_once(file.read(&mut [0; 3])) {
            Poll::Ready(count) => Some(count.unwrap()),
            Poll::Pending => None,
        });
        assert_eq!(ready, Some(3));
        assert!(matches!(
            poll_once(file.seek(SeekFrom::Start(8))),
            Poll::Ready(Ok(8))
        ));
        let mut rest = String::new();
        file.read_to_string(&mut rest).await.unwrap();
        assert_eq!(rest, "89", "the end of the file is found by a job");
    });
}

#[test]
fn large_read_needs_a_job() {
    let folder = Folder::new();
    let path = folder.path("large");
    if !write_cached(&path, &[7; 100_000]) {
        return;
    }
    let runtime = volt::Builder::new().max_blocking_threads(1).build();
    runtime.unwrap().block_on(async {
        let mut file = open_probed(&path).await;
        // A job may end before the poll that starts it, so the only thread for jobs is occupied.
        let (started, has_started) = channel();
        let (end, ended) = channel::<()>();
        let occupied = volt::spawn_blocking(move || {
            started.send(()).unwrap();
            let _ = ended.recv();
        });
        has_started.recv().unwrap();
        let mut buffer = vec![0; 64 * 1024 + 1];
        assert!(poll_once(file.read(&mut buffer)).is_pending());
        drop(end);
        occupied.await.unwrap();
    });
}

#[test]
fn clones_read_each_cached_byte_once() {
    const LEN: usize = 20_000;
    let folder = Folder::new();
    let path = folder.path("shared");
    let bytes: Vec<u8> = (0..LEN).map(|n| n as u8).collect();
    write_cached(&path, &bytes);
    let runtime = volt::Builder::new().worker_threads(2).build().unwrap();
    let read = runtime.block_on(async {
        let mut first = File::open(&path).await.unwrap();
        let second = first.try_clone().await.unwrap();
        let readers = [first, second].map(|mut file| {
            volt::spawn(async move {
                let mut read = Vec::new();
                let mut buffer = [0; 7];
                loop {
                    match file.read(&mut buffer).await.unwrap() {
                        0 => return read,
                        count => read.extend_from_slice(&buffer[..count]),
                    }
                }
            })
        });
        let mut read = Vec::new();
        for reader in readers {
            read.extend(reader.await.unwrap());
        }
        read
    });
    let count = |bytes: &[u8]| {
        bytes.iter().fold([0; 256], |mut counts, &byte| {
            counts[usize::from(byte)] += 1;
            counts
        })
    };
    assert_eq!(read.len(), LEN);
    assert_eq!(count(&read), count(&bytes));
}

#[test]
fn cached_reads_spend_the_budget() {
    const LEN: usize = 100_000;
    let folder = Folder::new();
    let path = folder.path("budget");
    if !write_cached(&path, &[7; LEN]) {
        return;
    }
    volt::Runtime::new().unwrap().block_on(async move {
        let mut file = open_probed(&path).await;
        let mut read = move |cx: &mut Context<'_>| Pin::new(&mut file).poll_read(cx, &mut [0]);
        // After the first read without a job no job is left, so only the budget ends the loop.
        while poll_fn(|cx| Poll::Ready(read(cx).is_pending())).await {
            yield_now().await;
        }
        let reads = poll_fn(|cx| Poll::Ready((0..LEN).take_while(|_| read(cx).is_ready()).count()));
        assert!(
            reads.await < LEN / 10,
            "the reads never return from the poll"
        );
    });
}
