//! Wakers are foreign code. Each waker of these tests uses the object that stores it when it is
//! cloned, called or dropped. Under a lock of that object this would deadlock.
#![cfg(all(feature = "process", feature = "signal", unix, not(miri)))]

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

use volt::io::{AsyncRead, AsyncReadExt, AsyncWrite, Registered, duplex, split};
use volt::net::{UdpSocket, UnixListener, UnixStream};
use volt::signal::unix::{Signal, SignalKind, signal};
use volt::time::sleep;
use volt::{Current, Group};

use self::acting::{SharedObject, acting, exercise, poll_once, within_limit};

mod acting;

fn use_stream<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut S, cx: &mut Context<'_>) {
    let _ = Pin::new(&mut *stream).poll_read(cx, &mut [0; 4]);
    let _ = Pin::new(stream).poll_flush(cx);
}

#[test]
fn duplex_calls_wakers_unlocked() {
    within_limit(|| {
        let (mut near, far) = duplex(1);
        let far = SharedObject::new(far);
        let event = far.clone();
        exercise(
            move |cx| Pin::new(&mut near).poll_read(cx, &mut [0; 4]),
            move |cx| far.with(|far| use_stream(far, cx)),
            move || event.with(|far| drop(poll_once(|cx| Pin::new(far).poll_write(cx, b"x")))),
        );
    });
    within_limit(|| {
        let (mut near, far) = duplex(1);
        let far = SharedObject::new(far);
        let event = far.clone();
        exercise(
            move |cx| Pin::new(&mut near).poll_write(cx, b"xy"),
            // The read has an empty buffer, so the pipe stays full.
            move |cx| far.with(|far| drop(Pin::new(far).poll_read(cx, &mut []))),
            move || event.with(|far| drop(poll_once(|cx| Pin::new(far).poll_read(cx, &mut [0])))),
        );
    });
}

/// The waker owns the other end. Its destructor uses the pipe.
#[test]
fn duplex_drops_a_waker_owning_its_peer_unlocked() {
    within_limit(|| {
        let (mut near, far) = duplex(8);
        let owner = acting(move |_| {
            let _owned = &far;
        });
        let polled = Pin::new(&mut near).poll_read(&mut Context::from_waker(&owner), &mut [0; 4]);
        assert!(polled.is_pending());
        drop(owner);
        let polled = poll_once(|cx| Pin::new(&mut near).poll_read(cx, &mut [0; 4]));
        assert!(
            polled.is_pending(),
            "the other end was dropped after its state was read"
        );
    });
}

#[test]
fn halves_call_wakers_unlocked() {
    within_limit(|| {
        let (near, far) = duplex(8);
        let (mut read, write) = split(near);
        let (write, far) = (SharedObject::new(write), SharedObject::new(far));
        exercise(
            move |cx| Pin::new(&mut read).poll_read(cx, &mut [0; 4]),
            move |cx| {
                write.with(|write| {
                    let _ = Pin::new(&mut *write).poll_write(cx, b"x");
                    let _ = Pin::new(write).poll_flush(cx);
                });
            },
            move || far.with(|far| drop(poll_once(|cx| Pin::new(far).poll_write(cx, b"x")))),
        );
    });
}

/// A half that is polled during a poll of the other half is woken after that poll.
#[test]
fn half_polled_inside_the_other_is_woken() {
    struct Flag(AtomicUsize);
    impl std::task::Wake for Flag {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    within_limit(|| {
        let (near, _far) = duplex(8);
        let (mut read, write) = split(near);
        let (write, flag) = (
            SharedObject::new(write),
            Arc::new(Flag(AtomicUsize::new(0))),
        );
        let (inner, polled) = (write.clone(), Arc::clone(&flag));
        let waker = acting(move |_| {
            inner.with(|write| {
                let waker = Waker::from(Arc::clone(&polled));
                let _ = Pin::new(write).poll_write(&mut Context::from_waker(&waker), b"x");
            });
        });
        let mut cx = Context::from_waker(&waker);
        assert!(
            Pin::new(&mut read)
                .poll_read(&mut cx, &mut [0])
                .is_pending()
        );
        assert!(flag.0.load(Ordering::Relaxed) > 0, "the write is woken");
        write.with(|write| {
            let written = poll_once(|cx| Pin::new(write).poll_write(cx, b"x"));
            assert!(matches!(written, Poll::Ready(Ok(1))));
        });
    });
}

#[test]
fn sockets_call_wakers_unlocked() {
    within_limit(|| {
        let (near, far) = UnixStream::pair().expect("a pair");
        let near = Arc::new(near);
        let other = Arc::clone(&near);
        exercise(
            move |cx| near.poll_read(cx, &mut [0; 4]),
            move |cx| use_socket(&other, cx),
            move || drop(far.try_write(b"x")),
        );
    });
    within_limit(|| {
        let (near, far) = UnixStream::pair().expect("a pair");
        let near = Arc::new(near);
        let (reading, other) = (Arc::clone(&near), near);
        let mut read = Box::pin(async move { reading.read(&mut [0; 4]).await });
        let mut is_over = false;
        exercise(
            move |cx| {
                let polled = if is_over {
                    Poll::Pending
                } else {
                    read.as_mut().poll(cx)
                };
                is_over |= polled.is_ready();
                polled
            },
            move |cx| use_socket(&other, cx),
            move || drop(far.try_write(b"x")),
        );
    });
    within_limit(|| {
        let socket = Arc::new(UdpSocket::bind("127.0.0.1:0").expect("a socket"));
        let (other, event) = (Arc::clone(&socket), Arc::clone(&socket));
        exercise(
            move |cx| socket.poll_recv_from(cx, &mut [0; 4]),
            move |cx| drop(pin!(other.recv_from(&mut [0; 4])).poll(cx)),
            move || {
                let address = event.local_addr().expect("an address");
                event.try_send_to(b"x", address).expect("sent");
            },
        );
    });
}

/// Polls with the shared waiter and with a waiter of its own, and registers other sockets.
fn use_socket(socket: &UnixStream, cx: &mut Context<'_>) {
    let _ = socket.poll_readable(cx);
    let _ = pin!(socket.readable()).poll(cx);
    let _ = UnixStream::pair().expect("a pair");
}

#[cfg(target_os = "linux")]
#[test]
fn listeners_call_wakers_unlocked() {
    within_limit(|| {
        let path = format!("\0volt-reentrant-{}", std::process::id());
        let listener = Arc::new(UnixListener::bind(&path).expect("a listener"));
        let other = Arc::clone(&listener);
        exercise(
            move |cx| listener.poll_accept(cx),
            move |cx| drop(pin!(other.accept()).poll(cx)),
            move || drop(UnixStream::connect(&path)),
        );
    });
}

#[test]
fn descriptors_call_wakers_unlocked() {
    within_limit(|| {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        socket2::SockRef::from(&reader)
            .set_nonblocking(true)
            .expect("set");
        let pipe = Arc::new(Registered::new(reader).expect("registered"));
        let other = Arc::clone(&pipe);
        exercise(
            move |cx| pipe.poll_read_io(cx, |mut pipe| std::io::Read::read(&mut pipe, &mut [0; 4])),
            move |cx| drop(pin!(other.readable()).poll(cx)),
            move || drop(std::io::Write::write(&mut &writer, b"x")),
        );
    });
}

#[test]
fn timers_call_wakers_unlocked() {
    within_limit(|| {
        let mut nap = Box::pin(sleep(Duration::from_millis(30)));
        exercise(
            move |cx| nap.as_mut().poll(cx),
            |cx| {
                let _ = pin!(sleep(Duration::from_millis(30))).poll(cx);
            },
            || thread::sleep(Duration::from_millis(30)),
        );
    });
}

#[test]
fn clock_advance_calls_wakers_unlocked() {
    within_limit(|| {
        let runtime = volt::LocalRuntime::new().expect("a runtime");
        runtime.block_on(async {
            volt::time::pause();
            let mut step = Box::pin(volt::time::advance(Duration::from_millis(1)));
            exercise(
                move |cx| step.as_mut().poll(cx),
                |cx| {
                    let _ = pin!(volt::time::advance(Duration::from_millis(1))).poll(cx);
                },
                || (),
            );
        });
    });
}

#[test]
fn joins_call_wakers_unlocked() {
    within_limit(|| {
        let (send, wait) = mpsc::channel();
        let mut task = volt::spawn_blocking(move || wait.recv().is_ok());
        exercise(
            {
                let mut is_over = false;
                move |cx| {
                    let polled = if is_over {
                        Poll::Pending
                    } else {
                        Pin::new(&mut task).poll(cx)
                    };
                    is_over |= polled.is_ready();
                    polled.map(drop)
                }
            },
            |_| volt::spawn(async {}).detach(),
            move || send.send(()).expect("the job waits"),
        );
    });
}

#[test]
fn groups_call_wakers_unlocked() {
    within_limit(|| {
        let mut group = Group::new(Current);
        group.spawn(sleep(Duration::from_secs(60)));
        let handle = group.handle();
        let event = group.handle();
        exercise(
            move |cx| group.poll_next(cx),
            move |_| {
                handle.spawn(std::future::pending());
            },
            move || {
                event.spawn(async {});
            },
        );
    });
}

#[test]
fn signals_call_wakers_unlocked() {
    const KIND: SignalKind = SignalKind::from_raw(signal_hook::consts::SIGURG);
    within_limit(|| {
        let mut listener = signal(KIND).expect("a listener");
        let other = SharedObject::new(signal(KIND).expect("a listener"));
        exercise(
            move |cx| listener.poll_recv(cx),
            move |cx| {
                other.with(|listener| drop(listener.poll_recv(cx)));
                let made: Signal = signal(KIND).expect("a listener");
                drop(made);
            },
            || signal_hook::low_level::raise(KIND.as_raw_value()).expect("raised"),
        );
    });
}

#[test]
fn children_call_wakers_unlocked() {
    within_limit(|| {
        let start = || {
            let mut command = volt::process::Command::new("cat");
            command
                .stdin(volt::process::Stdio::piped())
                .stdout(volt::process::Stdio::piped());
            command.kill_on_drop(true).spawn().expect("started")
        };
        let mut child = start();
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (mut stdout, other) = (stdout.expect("a pipe"), SharedObject::new(start()));
        exercise(
            move |cx| {
                let _ = child.poll_wait(cx);
                Pin::new(&mut stdout).poll_read(cx, &mut [0; 4])
            },
            move |cx| other.with(|child| drop(child.poll_wait(cx))),
            move || drop(stdin),
        );
    });
}

#[test]
fn stdin_calls_wakers_unlocked() {
    within_limit(|| {
        let mut stdin = volt::io::stdin();
        exercise(
            move |cx| Pin::new(&mut stdin).poll_read(cx, &mut [0; 4]),
            |cx| drop(pin!(volt::io::stdin().read(&mut [0; 4])).poll(cx)),
            || (),
        );
    });
}

/// The thread of the job that writes calls the waker.
#[cfg(feature = "fs")]
#[test]
fn files_call_wakers_unlocked() {
    within_limit(|| {
        let write = |file: &mut volt::fs::File, cx: &mut Context<'_>| {
            let _ = Pin::new(&mut *file).poll_write(cx, b"x");
            let _ = Pin::new(file).poll_flush(cx);
        };
        let path = std::env::temp_dir().join(format!("volt-reentrant-{}", std::process::id()));
        let file = std::fs::File::create(&path).expect("a file");
        let file = SharedObject::new(volt::fs::File::from_std(file));
        let other = file.clone();
        exercise(
            move |cx| {
                file.with(|file| write(file, cx));
                Poll::<()>::Pending
            },
            move |cx| other.with(|file| write(file, cx)),
            || (),
        );
        std::fs::remove_file(&path).expect("the file exists");
    });
}

#[test]
fn combinators_call_wakers_unlocked() {
    within_limit(|| {
        let (near, far) = duplex(8);
        let far = SharedObject::new(far);
        let (other, event) = (far.clone(), far);
        let mut group = volt::future::FutureGroup::new();
        for _ in 0..3 {
            group.insert(sleep(Duration::from_millis(20)));
        }
        let (mut near, mut group) = (
            near,
            Box::pin(async move { while group.next().await.is_some() {} }),
        );
        let mut is_over = false;
        exercise(
            move |cx| {
                let polled = if is_over {
                    Poll::Pending
                } else {
                    group.as_mut().poll(cx)
                };
                is_over |= polled.is_ready();
                Pin::new(&mut near).poll_read(cx, &mut [0; 4])
            },
            move |cx| other.with(|far| use_stream(far, cx)),
            move || event.with(|far| drop(poll_once(|cx| Pin::new(far).poll_write(cx, b"x")))),
        );
    });
}
