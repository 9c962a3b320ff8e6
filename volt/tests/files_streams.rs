//! Dropped reads of files without a position: event descriptors and terminals.
#![cfg(all(feature = "fs", target_os = "linux", not(miri)))]

use std::future::Future;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::pin::pin;
use std::task::{Context, Waker};
use std::time::Duration;

use rustix::event::{EventfdFlags, eventfd};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use volt::fs::File;
use volt::io::{AsyncReadExt, AsyncWriteExt};
use volt::time::{sleep, timeout};

const PAUSE: Duration = Duration::from_millis(30);

/// Polls a read once, drops it, and lets its job read `bytes`, which are written to `peer`.
async fn drop_read(file: &mut File, peer: &mut std::fs::File, bytes: &[u8]) {
    let mut buf = [0; 64];
    let is_pending = pin!(file.read(&mut buf))
        .poll(&mut Context::from_waker(Waker::noop()))
        .is_pending();
    assert!(is_pending);
    peer.write_all(bytes).unwrap();
    sleep(PAUSE).await;
}

/// Returns the bytes of the next read, or `None` if there is none within a second.
async fn next_read(file: &mut File) -> Option<Vec<u8>> {
    let mut buf = [0; 64];
    let read = timeout(Duration::from_secs(1), file.read(&mut buf)).await;
    Some(buf[..read.ok()?.unwrap()].to_vec())
}

#[test]
fn dropped_read_keeps_an_event() {
    // Seeks of this descriptor succeed and do nothing.
    let event = eventfd(0, EventfdFlags::empty()).unwrap();
    let event = std::fs::File::from(event);
    let mut peer = event.try_clone().unwrap();
    volt::block_on(async {
        let mut file = File::from_std(event);
        let seven = 7_u64.to_ne_bytes();
        drop_read(&mut file, &mut peer, &seven).await;
        file.metadata().await.unwrap();
        let read = next_read(&mut file).await;
        // A job that waits would keep the runtime from its end.
        peer.write_all(&seven).unwrap();
        assert_eq!(read.as_deref(), Some(&seven[..]));
    });
}

/// Returns both ends of a terminal.
fn terminal() -> (std::fs::File, std::fs::File) {
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&controller).unwrap();
    unlockpt(&controller).unwrap();
    let name = ptsname(&controller, Vec::new()).unwrap();
    let mut options = std::fs::OpenOptions::new();
    options.read(true).write(true);
    options.custom_flags(libc::O_NOCTTY);
    let terminal = options.open(name.to_str().unwrap()).unwrap();
    (controller.into(), terminal)
}

#[test]
fn dropped_read_keeps_the_end_of_input() {
    let (mut controller, input) = terminal();
    volt::block_on(async {
        let mut file = File::from_std(input);
        // The user types ctrl-d while the read is dropped, and the program prints its prompt.
        drop_read(&mut file, &mut controller, b"\x04").await;
        file.write_all(b"> ").await.unwrap();
        file.flush().await.unwrap();
        let end = next_read(&mut file).await;
        controller.write_all(b"line\n").unwrap();
        assert_eq!(end, Some(Vec::new()));
        assert_eq!(next_read(&mut file).await.as_deref(), Some(&b"line\n"[..]));
    });
}

#[test]
fn dropped_read_keeps_an_error() {
    let (controller, input) = terminal();
    volt::block_on(async {
        let mut file = File::from_std(controller);
        let is_pending = pin!(file.read(&mut [0; 4]))
            .poll(&mut Context::from_waker(Waker::noop()))
            .is_pending();
        assert!(is_pending);
        drop(input);
        sleep(PAUSE).await;
        file.metadata().await.unwrap();
        let error = file.read(&mut [0; 4]).await.unwrap_err();
        assert_eq!(error.raw_os_error(), Some(libc::EIO));
    });
}
