//! Named and anonymous pipes.
#![cfg(all(feature = "rt", target_os = "linux", not(miri)))]

use std::fs::File;
use std::io::{ErrorKind, IoSlice, IoSliceMut, Read, Write};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use volt::io::{AsyncReadExt, AsyncWriteExt, Interest};
use volt::net::pipe::{OpenOptions, Receiver, Sender, pipe};
use volt::time::timeout;

const SHORT: Duration = Duration::from_millis(30);
const LONG: Duration = Duration::from_secs(10);

/// A named pipe that is removed on drop.
struct NamedPipe(PathBuf);

impl NamedPipe {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("volt-pipes-{}-{count}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let made = Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        Self(path)
    }
}

impl Drop for NamedPipe {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn run<F: Future>(future: F) -> F::Output {
    volt::Runtime::new().unwrap().block_on(future)
}

#[test]
fn named_pipe_carries_bytes_and_ends() {
    let pipe = NamedPipe::new();
    run(async {
        let mut receiver = OpenOptions::new().open_receiver(&pipe.0).unwrap();
        let mut sender = OpenOptions::new().open_sender(&pipe.0).unwrap();
        let bytes: Vec<u8> = (0..500_000).map(|n| (n % 251) as u8).collect();
        let expected = bytes.clone();
        let sending = volt::spawn(async move { sender.write_all(&bytes).await });
        let mut read = Vec::new();
        receiver.read_to_end(&mut read).await.unwrap();
        assert!(read == expected, "{}", read.len());
        sending.await.unwrap().unwrap();
    });
}

#[test]
fn open_sender_without_receiver_is_an_error() {
    let pipe = NamedPipe::new();
    run(async {
        let error = OpenOptions::new().open_sender(&pipe.0).unwrap_err();
        // A program that waits for a receiver identifies the error by this number.
        assert_eq!(error.raw_os_error(), Some(libc::ENXIO));
        let both = *OpenOptions::new().read_write(true);
        let mut sender = both.open_sender(&pipe.0).unwrap();
        sender.write_all(b"kept").await.unwrap();
        let mut receiver = both.open_receiver(&pipe.0).unwrap();
        drop(sender);
        let mut buf = [0; 8];
        assert_eq!(receiver.read(&mut buf).await.unwrap(), 4);
        // The receiver is open for writes too, so its input does not end.
        assert!(timeout(SHORT, receiver.read(&mut buf)).await.is_err());
    });
}

#[test]
fn open_of_a_regular_file_as_pipe_is_an_error() {
    run(async {
        let error = OpenOptions::new().open_receiver("Cargo.toml").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
        let missing = OpenOptions::new().open_receiver("no/such/pipe");
        let missing = missing.unwrap_err();
        assert_eq!(missing.kind(), ErrorKind::NotFound);
        assert!(missing.to_string().contains("no/such/pipe"), "{missing}");
        let (reader, writer) = std::io::pipe().unwrap();
        let [reader, writer] = [OwnedFd::from(reader), OwnedFd::from(writer)];
        let wrong = Sender::from_owned_fd(reader.try_clone().unwrap());
        assert_eq!(wrong.unwrap_err().kind(), ErrorKind::InvalidInput);
        let wrong = Receiver::from_owned_fd(writer.try_clone().unwrap());
        assert_eq!(wrong.unwrap_err().kind(), ErrorKind::InvalidInput);
        let mut sender = Sender::from_owned_fd(writer).unwrap();
        let mut receiver = Receiver::from_owned_fd(reader).unwrap();
        sender.write_all(b"one").await.unwrap();
        assert_eq!(receiver.read(&mut [0; 8]).await.unwrap(), 3);
    });
}

#[test]
fn pipe_without_room_or_bytes_would_block() {
    run(async {
        let (mut sender, receiver) = pipe().unwrap();
        let mut buf = vec![0; 100_000];
        assert_eq!(
            receiver.try_read(&mut buf).unwrap_err().kind(),
            ErrorKind::WouldBlock
        );
        let written = sender.try_write(&buf).unwrap();
        assert!(written < buf.len());
        assert_eq!(
            sender.try_write(&buf).unwrap_err().kind(),
            ErrorKind::WouldBlock
        );
        // An event that the driver had read before the write may be recorded after it.
        if timeout(SHORT, sender.writable()).await.is_ok() {
            let full = sender.try_write(&buf).unwrap_err();
            assert_eq!(full.kind(), ErrorKind::WouldBlock);
            assert!(timeout(SHORT, sender.writable()).await.is_err());
        }
        receiver.readable().await.unwrap();
        assert_eq!(receiver.try_read(&mut buf).unwrap(), written);
        sender.writable().await.unwrap();
        drop(receiver);
        let error = sender.write_all(b"x").await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BrokenPipe);
    });
}

#[test]
fn pipe_taken_apart_blocks_again() {
    let (mut writer, mut reader) = run(async {
        let (sender, receiver) = pipe().unwrap();
        let writer = sender.into_blocking_fd().unwrap();
        (
            File::from(writer),
            File::from(receiver.into_blocking_fd().unwrap()),
        )
    });
    let reads = std::thread::spawn(move || {
        let mut buf = [0; 5];
        reader.read_exact(&mut buf).unwrap();
        buf
    });
    std::thread::sleep(SHORT);
    writer.write_all(b"hello").unwrap();
    assert_eq!(&reads.join().unwrap(), b"hello");
}

#[test]
fn ends_report_closed_peers() {
    run(async {
        let (sender, receiver) = pipe().unwrap();
        drop(receiver);
        let ready = timeout(LONG, sender.ready(Interest::ERROR)).await;
        assert!(ready.unwrap().unwrap().is_error());
        let (sender, receiver) = pipe().unwrap();
        // The first wait is ready at once, because no read has found the pipe empty.
        let mut byte = [0];
        assert!(receiver.try_read(&mut byte).is_err());
        let empty = timeout(SHORT, receiver.ready(Interest::READABLE)).await;
        assert!(empty.is_err());
        drop(sender);
        let ready = timeout(LONG, receiver.ready(Interest::READABLE)).await;
        assert!(ready.unwrap().unwrap().is_read_closed());
    });
}

#[test]
fn slices_pass_without_waiting() {
    run(async {
        let (sender, receiver) = pipe().unwrap();
        let slices = [IoSlice::new(b"ab"), IoSlice::new(b"cde")];
        assert_eq!(sender.try_write_vectored(&slices).unwrap(), 5);
        receiver.readable().await.unwrap();
        let (mut first, mut second) = ([0; 3], [0; 3]);
        let mut into = [IoSliceMut::new(&mut first), IoSliceMut::new(&mut second)];
        assert_eq!(receiver.try_read_vectored(&mut into).unwrap(), 5);
        assert_eq!((&first, &second[..2]), (b"abc", &b"de"[..]));
        let empty = receiver.try_read_vectored(&mut [IoSliceMut::new(&mut first)]);
        assert_eq!(empty.unwrap_err().kind(), ErrorKind::WouldBlock);
    });
}
