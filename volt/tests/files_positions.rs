//! The position, the bytes and the errors of a file, with other handles and other kinds of files.
#![cfg(all(feature = "fs", target_os = "linux", not(miri)))]

mod files_folder;

use std::future::Future;
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::{Command, Stdio};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use files_folder::Folder;
use volt::fs::{File, OpenOptions};
use volt::io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt};

fn run<F: Future>(future: F) -> F::Output {
    volt::Runtime::new().unwrap().block_on(future)
}

/// Polls once, drops the future, and returns `true` if it was not ready.
fn drop_after_poll<F: Future>(future: F) -> bool {
    let polled = pin!(future).poll(&mut Context::from_waker(Waker::noop()));
    polled.is_pending()
}

/// Returns a file of 20 bytes, of which 5 were read.
async fn read_five(path: &Path) -> File {
    std::fs::write(path, b"0123456789abcdefghij").unwrap();
    let options = OpenOptions::new().read(true).write(true).clone();
    let mut file = options.open(path).await.unwrap();
    file.read_exact(&mut [0; 5]).await.unwrap();
    file
}

/// Polls a read once, and drops it. If it is ready, seeks back by its length.
async fn drop_read(file: &mut File, len: usize) {
    let mut buf = vec![0; len];
    let read = pin!(file.read(&mut buf)).poll(&mut Context::from_waker(Waker::noop()));
    if let Poll::Ready(count) = read {
        let count = i64::try_from(count.unwrap()).unwrap();
        file.seek(SeekFrom::Current(-count)).await.unwrap();
    }
}

async fn rest(file: &mut File) -> String {
    let mut rest = String::new();
    file.read_to_string(&mut rest).await.unwrap();
    rest
}

fn other(path: &Path) -> std::fs::File {
    std::fs::OpenOptions::new().write(true).open(path).unwrap()
}

fn with_file<F: Future<Output = ()>>(test: impl FnOnce(File, PathBuf) -> F) {
    let folder = Folder::new();
    let path = folder.path("file");
    run(async { test(read_five(&path).await, path.clone()).await });
}

#[test]
fn failed_seek_keeps_the_position() {
    with_file(|mut file, _| async move {
        assert!(file.seek(SeekFrom::Current(-6)).await.is_err());
        assert_eq!(rest(&mut file).await, "56789abcdefghij");
    });
}

#[test]
fn set_len_ends_the_next_read() {
    with_file(|mut file, _| async move {
        file.set_len(7).await.unwrap();
        assert_eq!(rest(&mut file).await, "56");
    });
}

#[test]
fn truncation_by_others_ends_the_next_read() {
    with_file(|mut file, path| async move {
        other(&path).set_len(5).unwrap();
        assert_eq!(rest(&mut file).await, "");
    });
}

#[test]
fn bytes_written_by_others_are_read() {
    with_file(|mut file, path| async move {
        let mut other = other(&path);
        other.seek(SeekFrom::Start(5)).unwrap();
        other.write_all(b"-----").unwrap();
        assert_eq!(rest(&mut file).await, "-----abcdefghij");
    });
}

#[test]
fn child_reads_from_the_position_of_the_file() {
    with_file(|file, _| async move {
        let input = Stdio::from(file.as_fd().try_clone_to_owned().unwrap());
        let output = Command::new("cat").stdin(input).output().unwrap();
        assert_eq!(output.stdout, b"56789abcdefghij");
    });
}

#[test]
fn dropped_read_is_undone_before_other_operations() {
    with_file(|mut file, path| async move {
        for len in [1, 3, 100] {
            drop_read(&mut file, len).await;
            assert_eq!(file.metadata().await.unwrap().len(), 20);
        }
        other(&path).set_len(8).unwrap();
        assert_eq!(rest(&mut file).await, "567");
        let mut std = file.into_std().await.unwrap();
        assert_eq!(std.stream_position().unwrap(), 8);
    });
}

#[test]
fn dropped_read_is_undone_before_the_write_of_a_clone() {
    with_file(|mut file, _| async move {
        let mut second = file.try_clone().await.unwrap();
        for turn in 0..100 {
            file.seek(SeekFrom::Start(0)).await.unwrap();
            drop_read(&mut file, 4).await;
            // In some turns the blocking job has read the bytes before the write is accepted.
            volt::time::sleep(Duration::from_micros(turn * 2)).await;
            second.write_all(b"ab").await.unwrap();
            let mut read = [0; 2];
            file.read_exact(&mut read).await.unwrap();
            assert_eq!(&read, b"23", "turn {turn}");
        }
    });
}

#[test]
fn dropped_set_len_precedes_the_next_write() {
    let folder = Folder::new();
    let path = folder.path("file");
    run(async {
        for _ in 0..300 {
            let mut file = read_five(&path).await;
            file.rewind().await.unwrap();
            file.write_all(b"-").await.unwrap();
            // The operation waits for the write, and takes place although its future is dropped.
            drop_after_poll(file.set_len(0));
            file.write_all(b"ABC").await.unwrap();
            file.flush().await.unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), b"\0ABC");
        }
    });
}

#[test]
fn dropped_set_len_precedes_set_len_and_read() {
    let folder = Folder::new();
    let path = folder.path("file");
    run(async {
        for _ in 0..300 {
            let mut file = read_five(&path).await;
            drop_after_poll(file.set_len(3));
            file.set_len(6).await.unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), b"012\0\0\0");
            drop_after_poll(file.set_len(5));
            assert_eq!(rest(&mut file).await, "");
        }
    });
}

#[test]
fn dropped_set_len_takes_place_after_close() {
    let folder = Folder::new();
    let path = folder.path("file");
    for _ in 0..20 {
        run(async {
            let mut file = read_five(&path).await;
            file.write_all(b"-----").await.unwrap();
            drop_after_poll(file.set_len(2));
        });
        assert_eq!(std::fs::read(&path).unwrap(), b"01");
    }
}

#[test]
fn error_of_dropped_set_len_is_returned_once() {
    with_file(|mut file, _| async move {
        let waits = drop_after_poll(file.set_len(u64::MAX));
        let next = file.flush().await;
        assert_eq!(next.is_err(), waits);
        file.flush().await.unwrap();
    });
}

#[test]
fn writes_of_clones_take_place_in_order() {
    let folder = Folder::new();
    let path = folder.path("file");
    run(async {
        let mut first = File::create(&path).await.unwrap();
        let mut second = first.try_clone().await.unwrap();
        let mut expected = String::new();
        for n in 0..500 {
            let (one, other) = (format!("{n},"), format!("{n};"));
            first.write_all(one.as_bytes()).await.unwrap();
            second.write_all(other.as_bytes()).await.unwrap();
            expected = expected + &one + &other;
        }
        // The flush of one handle waits for its own writes, which follow the writes of the other.
        second.flush().await.unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
    });
}

/// Two tasks read from two handles of one file. Each byte is returned once, and no task waits
/// forever.
#[test]
fn clones_read_each_byte_once() {
    let folder = Folder::new();
    let path = folder.path("file");
    let bytes: Vec<u8> = (0..=255).cycle().take(20_000).collect();
    std::fs::write(&path, &bytes).unwrap();
    let runtime = volt::Builder::new().worker_threads(1).build().unwrap();
    runtime.block_on(async {
        let mut first = File::open(&path).await.unwrap();
        let second = first.try_clone().await.unwrap();
        let tasks = [first, second].map(|mut file| {
            volt::spawn(async move {
                let (mut read, mut buf) = (Vec::new(), [0; 37]);
                while let Ok(count @ 1..) = file.read(&mut buf).await {
                    read.extend_from_slice(&buf[..count]);
                }
                read
            })
        });
        let mut read = Vec::new();
        for task in tasks {
            read.extend(task.await.unwrap());
        }
        let mut sorted = bytes.clone();
        sorted.sort_unstable();
        read.sort_unstable();
        assert!(read == sorted, "{} of {}", read.len(), sorted.len());
    });
}

/// Returns a named pipe that is open for both directions.
fn fifo(folder: &Folder, flags: i32) -> std::fs::File {
    let path = folder.path("fifo");
    let made = Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success());
    let mut options = std::fs::OpenOptions::new();
    options.read(true).write(true).custom_flags(flags);
    options.open(path).unwrap()
}

#[test]
fn fifo_is_written_after_reads() {
    let folder = Folder::new();
    let mut file = File::from_std(fifo(&folder, 0));
    run(async {
        let mut buf = [0; 8];
        for round in 0..50_u8 {
            file.write_all(&[round; 9]).await.unwrap();
            assert_eq!(file.read(&mut buf).await.unwrap(), 8);
            // A pipe cannot seek back, so the handle keeps the bytes of the dropped read.
            file.write_all(&[round; 3]).await.unwrap();
            let waits = drop_after_poll(file.read(&mut buf));
            file.write_all(&[round; 4]).await.unwrap();
            let expected = if waits { 8 } else { 4 };
            let mut left = vec![0; expected];
            file.read_exact(&mut left).await.unwrap();
            assert!(left.iter().all(|&byte| byte == round));
        }
        assert!(file.seek(SeekFrom::Start(0)).await.is_err());
    });
}

#[test]
fn failed_write_is_retried_until_it_succeeds() {
    let folder = Folder::new();
    let std = fifo(&folder, libc::O_NONBLOCK);
    let mut reader = std.try_clone().unwrap();
    let mut file = File::from_std(std);
    let bytes: Vec<u8> = (0..200_000).map(|n| (n % 251) as u8).collect();
    let mut read = Vec::new();
    run(async {
        // More bytes than the pipe can store.
        file.write_all(&bytes).await.unwrap();
        for _ in 0..10 {
            match file.flush().await {
                Ok(()) => break,
                Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
            }
            assert!(file.flush().await.is_err(), "there is no room yet");
            let error = reader.read_to_end(&mut read).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::WouldBlock);
        }
        file.write_all(b"last").await.unwrap();
        file.flush().await.unwrap();
        _ = reader.read_to_end(&mut read);
    });
    assert!(
        read.strip_suffix(b"last") == Some(&bytes[..]),
        "{}",
        read.len()
    );
}

#[test]
fn failed_writes_can_be_discarded() {
    run(async {
        let options = OpenOptions::new().read(true).write(true).clone();
        let mut full = options.open("/dev/full").await.unwrap();
        full.write_all(b"one").await.unwrap();
        assert!(full.flush().await.is_err());
        full.write_all(b"two").await.unwrap();
        assert!(
            full.sync_all().await.is_err(),
            "the failed bytes are written first"
        );
        assert!(
            full.read(&mut [0; 4]).await.is_err(),
            "a read writes them first too"
        );
        assert_eq!(full.take_unwritten(), b"onetwo");
        full.flush().await.unwrap();
        assert_eq!(full.read(&mut [0; 4]).await.unwrap(), 4);
    });
}

#[test]
fn full_file_accepts_a_bounded_number_of_bytes() {
    run(async {
        let options = OpenOptions::new().write(true).clone();
        let mut full = options.open("/dev/full").await.unwrap();
        let chunk = vec![0; 100_000];
        let mut accepted = 0;
        for _ in 0..100 {
            accepted += full.write(&chunk).await.unwrap_or(0);
        }
        assert!(accepted <= 1 << 20, "{accepted}");
        assert!(full.take_unwritten().len() <= 1 << 20);
    });
}

#[test]
fn file_moves_to_another_runtime() {
    with_file(|mut file, path| async move {
        file.write_all(b"ABC").await.unwrap();
        drop_read(&mut file, 4).await;
        let other = std::thread::spawn(move || {
            run(async {
                assert_eq!(rest(&mut file).await, "89abcdefghij");
                file.write_all(b"end").await.unwrap();
            });
        });
        other.join().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"01234ABC89abcdefghijend");
    });
}

#[test]
fn slices_are_one_write() {
    let folder = Folder::new();
    run(async {
        let mut file = File::from_std(fifo(&folder, libc::O_NONBLOCK));
        let slices = [b"one,", b"two,"].map(|bytes| std::io::IoSlice::new(bytes));
        assert_eq!(file.write_vectored(&slices).await.unwrap(), 8);
        file.flush().await.unwrap();
        let mut buf = [0; 16];
        assert_eq!(file.read(&mut buf).await.unwrap(), 8);
    });
}
