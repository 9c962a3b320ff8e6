//! Pipes and event counters, with a driver on another thread.

use std::fs::File;
use std::io::{self, ErrorKind, PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsFd;

use std::future::poll_fn;
use std::task::{Context, Waker};

use futures_lite::future::{block_on, poll_once, zip};

use super::Registered;
use crate::driver::DriverThread;
use crate::runtime::context;

fn run<F: Future>(future: F) -> F::Output {
    let driver = DriverThread::start();
    let _entered = context::enter(driver.handle());
    block_on(future)
}

fn pipe() -> (Registered<PipeReader>, Registered<PipeWriter>) {
    let (reader, writer) = io::pipe().expect("two descriptors");
    (watched(reader), watched(writer))
}

fn watched<T: AsFd>(descriptor: T) -> Registered<T> {
    let socket = socket2::SockRef::from(&descriptor);
    socket.set_nonblocking(true).expect("nonblocking");
    Registered::new(descriptor).expect("registered")
}

async fn read(pipe: &Registered<PipeReader>, buf: &mut [u8]) -> io::Result<usize> {
    poll_fn(|cx| pipe.poll_read_io(cx, |mut pipe| pipe.read(buf))).await
}

async fn write(pipe: &Registered<PipeWriter>, buf: &[u8]) -> io::Result<usize> {
    poll_fn(|cx| pipe.poll_write_io(cx, |mut pipe| pipe.write(buf))).await
}

#[test]
fn pipe_full_and_empty_in_turns_loses_no_byte() {
    const TOTAL: usize = 1 << 20;
    run(async {
        let (reader, writer) = pipe();
        let sender = async {
            let mut sent = 0;
            while sent < TOTAL {
                let chunk = [sent as u8; 4_096];
                sent += write(&writer, &chunk).await.expect("a reader is there");
            }
            drop(writer);
            sent
        };
        let receiver = async {
            let (mut received, mut buf) = (0, [0; 1_000]);
            loop {
                match read(&reader, &mut buf).await.expect("bytes") {
                    0 => return received,
                    len => received += len,
                }
            }
        };
        let (sent, received) = zip(sender, receiver).await;
        assert_eq!(sent, received);
    });
}

#[test]
fn refused_operation_makes_the_next_one_wait() {
    run(async {
        let (reader, writer) = pipe();
        let mut cx = Context::from_waker(Waker::noop());
        let refused = reader.try_read_io(|mut pipe| pipe.read(&mut [0]));
        assert_eq!(
            refused.expect_err("an empty pipe").kind(),
            ErrorKind::WouldBlock
        );
        assert!(reader.poll_read_ready(&mut cx).is_pending());
        assert!(poll_once(reader.readable()).await.is_none());
        let uncalled =
            reader.try_read_io(|_| -> io::Result<()> { panic!("the descriptor is not ready") });
        assert_eq!(
            uncalled.expect_err("not ready").kind(),
            ErrorKind::WouldBlock
        );

        assert!(writer.poll_write_ready(&mut cx).is_ready());
        writer.writable().await.expect("the driver is there");
        writer
            .try_write_io(|mut pipe| pipe.write(b"x"))
            .expect("room");
        reader.readable().await.expect("the driver is there");
        assert_eq!(
            reader.try_read_io(|mut pipe| pipe.read(&mut [0])).ok(),
            Some(1)
        );
    });
}

#[test]
#[cfg(target_os = "linux")]
fn event_counter_wakes_its_reader() {
    use rustix::event::{EventfdFlags, eventfd};
    run(async {
        let counter = eventfd(0, EventfdFlags::NONBLOCK).expect("a descriptor");
        let counter = Registered::new(File::from(counter)).expect("registered");
        let mut buf = [0; 8];
        let bump = async {
            let mut counter = counter.get_ref();
            counter.write_all(&3_u64.to_ne_bytes()).expect("room");
        };
        let read = poll_fn(|cx| counter.poll_read_io(cx, |mut counter| counter.read(&mut buf)));
        let (len, ()) = zip(read, bump).await;
        assert_eq!((len.ok(), u64::from_ne_bytes(buf)), (Some(8), 3));
    });
}

#[test]
fn returned_descriptor_can_be_registered_again() {
    run(async {
        let (reader, writer) = pipe();
        let twice = Registered::new(reader.as_fd());
        assert_eq!(
            twice.expect_err("already registered").kind(),
            ErrorKind::AlreadyExists
        );
        let reader = Registered::new(reader.into_inner()).expect("no longer");
        drop(writer);
        assert_eq!(read(&reader, &mut [0]).await.ok(), Some(0));
    });
}

#[test]
#[cfg(target_os = "linux")]
fn regular_file_is_refused() {
    run(async {
        let file = File::open("/proc/self/exe").expect("the test is a file");
        let refused = Registered::new(file).map(drop);
        assert_eq!(
            refused.expect_err("refused").kind(),
            ErrorKind::PermissionDenied
        );
    });
}
