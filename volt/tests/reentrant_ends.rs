//! Wakers that are called by the peer of an object, or dropped at the end of a wait. Each of them
//! uses the object. Under a lock of that object this would deadlock.
#![cfg(all(feature = "signal", unix, not(miri)))]

use std::future::{Future, pending, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use volt::io::{AsyncRead, AsyncWrite, DuplexStream, duplex};
use volt::net::UnixStream;
use volt::signal::unix::{SignalKind, signal};
use volt::time::sleep;
use volt::{Current, Group};

use self::acting::{SharedObject, acting, poll_once, within_limit};

mod acting;

/// Reads and writes, so that it takes the locks of both directions.
fn use_both_directions(stream: &mut DuplexStream, cx: &mut Context<'_>) {
    let _ = Pin::new(&mut *stream).poll_read(cx, &mut [0]);
    let _ = Pin::new(stream).poll_write(cx, &[]);
}

/// The other end wakes a reader and a writer, which use their end of the pipe.
fn wake_by_peer(event: impl FnOnce(DuplexStream) + Send + 'static) {
    within_limit(|| {
        let (near, far) = duplex(1);
        let near = SharedObject::new(near);
        let other = near.clone();
        let waker = acting(move |cx| other.with(|near| use_both_directions(near, cx)));
        near.with(|near| {
            let cx = &mut Context::from_waker(&waker);
            let filled = Pin::new(&mut *near).poll_write(cx, b"x");
            assert!(filled.is_ready());
            assert!(Pin::new(&mut *near).poll_write(cx, b"x").is_pending());
            assert!(Pin::new(near).poll_read(cx, &mut [0]).is_pending());
        });
        event(far);
    });
}

#[test]
fn writing_peer_wakes_unlocked() {
    wake_by_peer(|mut far| {
        let written = poll_once(|cx| Pin::new(&mut far).poll_write(cx, b"x"));
        assert!(written.is_ready());
    });
}

#[test]
fn reading_peer_wakes_unlocked() {
    wake_by_peer(|mut far| {
        let read = poll_once(|cx| Pin::new(&mut far).poll_read(cx, &mut [0]));
        assert!(read.is_ready());
    });
}

#[test]
fn dropped_peer_wakes_unlocked() {
    wake_by_peer(drop);
    wake_by_peer(|mut far| {
        let closed = poll_once(|cx| Pin::new(&mut far).poll_close(cx));
        assert!(closed.is_ready());
    });
}

/// Drops a future that waits, with a waker that calls `act` when it is dropped.
fn drop_waiting(future: impl Future, act: impl Fn(&mut Context<'_>) + Send + Sync + 'static) {
    let mut future = Box::pin(future);
    let waker = acting(act);
    let polled = future.as_mut().poll(&mut Context::from_waker(&waker));
    assert!(polled.is_pending());
    drop(future);
}

#[test]
fn dropped_wait_for_a_socket_drops_unlocked() {
    within_limit(|| {
        let (near, _far) = UnixStream::pair().expect("a pair");
        // A new socket seems to be ready until the first operation.
        assert!(poll_once(|cx| near.poll_read(cx, &mut [0])).is_pending());
        let near = Arc::new(near);
        let other = Arc::clone(&near);
        let wait = async move { near.readable().await };
        drop_waiting(wait, move |cx| drop(pin!(other.readable()).poll(cx)));
    });
}

#[test]
fn dropped_timer_drops_unlocked() {
    within_limit(|| {
        drop_waiting(sleep(Duration::from_secs(60)), |cx| {
            let _ = pin!(sleep(Duration::from_secs(60))).poll(cx);
        });
    });
}

#[test]
fn dropped_signal_drops_unlocked() {
    const KIND: SignalKind = SignalKind::from_raw(signal_hook::consts::SIGURG);
    within_limit(|| {
        let mut listener = signal(KIND).expect("a listener");
        let wait = poll_fn(move |cx| listener.poll_recv(cx));
        drop_waiting(wait, |_| drop(signal(KIND).expect("a listener")));
    });
}

#[test]
fn dropped_group_drops_unlocked() {
    for stops_waiting in [false, true] {
        within_limit(move || {
            let mut group = Group::<()>::new(Current);
            group.spawn(pending());
            let handle = group.handle();
            let act = move |_: &mut Context<'_>| {
                handle.spawn(pending());
            };
            if stops_waiting {
                drop_waiting(async move { group.next().await.is_some() }, act);
            } else {
                drop_waiting(poll_fn(move |cx| group.poll_next(cx)), act);
            }
        });
    }
}

/// The advance of a paused clock ends, which wakes the next one.
#[test]
fn ended_advance_wakes_unlocked() {
    within_limit(|| {
        let runtime = volt::LocalRuntime::new().expect("a runtime");
        runtime.block_on(async {
            volt::time::pause();
            let waker = acting(|cx| {
                let _ = pin!(volt::time::advance(Duration::from_millis(1))).poll(cx);
            });
            let mut step = Box::pin(volt::time::advance(Duration::from_millis(1)));
            let polled = step.as_mut().poll(&mut Context::from_waker(&waker));
            assert!(polled.is_pending());
            // The runtime is quiescent now, so it wakes those that wait for this.
            sleep(Duration::from_millis(5)).await;
            assert!(poll_once(|cx| step.as_mut().poll(cx)).is_ready());
        });
    });
}

/// A half that was polled during a poll of the other half is woken after that poll.
#[test]
fn waiting_half_is_woken_unlocked() {
    within_limit(|| {
        let (near, _far) = duplex(8);
        let (mut read, write) = volt::io::split(near);
        let write = SharedObject::new(write);
        let (inner, again) = (write.clone(), write.clone());
        let (send, woken) = std::sync::mpsc::channel();
        let nested = acting(move |cx| {
            again.with(|write| {
                let flushed = Pin::new(write).poll_flush(cx);
                let _ = send.send(flushed.is_ready());
            });
        });
        let waker = acting(move |_| {
            inner.with(|write| {
                let _ = Pin::new(write).poll_write(&mut Context::from_waker(&nested), b"x");
            });
        });
        let mut cx = Context::from_waker(&waker);
        let polled: Poll<_> = Pin::new(&mut read).poll_read(&mut cx, &mut [0]);
        assert!(polled.is_pending());
        assert!(woken.try_iter().any(|is_ready| is_ready), "not woken");
    });
}
