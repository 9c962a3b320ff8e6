//! A task on the only worker awaits a leaf that is always ready, in a loop. A task that is spawned
//! from outside still runs, because each leaf takes from the budget of the poll.
#![cfg(all(unix, not(miri)))]

use std::convert::Infallible;
use std::future::{pending, poll_fn};
use std::io::{PipeWriter, Write as _};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use volt::Runtime;
use volt::io::Registered;
use volt::net::{
    TcpListener, TcpStream, UdpSocket, UnixStream, connect, connect_unix, lookup_host,
};
use volt::time::{interval, sleep, timeout};

fn runtime() -> Runtime {
    Runtime::builder().worker_threads(1).build().unwrap()
}

/// The number of rounds of the task, and the flag that ends it.
#[derive(Clone, Default)]
struct Rounds {
    begun: Arc<AtomicUsize>,
    is_over: Arc<AtomicBool>,
}

impl Rounds {
    fn go_on(&self) -> bool {
        self.begun.fetch_add(1, Ordering::SeqCst);
        !self.is_over.load(Ordering::SeqCst)
    }
}

fn becomes_true(condition: impl Fn() -> bool) -> bool {
    let end = Instant::now() + Duration::from_secs(5);
    while !condition() && Instant::now() < end {
        thread::sleep(Duration::from_millis(1));
    }
    condition()
}

#[track_caller]
fn assert_gives_way<F>(task: impl FnOnce(Rounds) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let runtime = runtime();
    let _entered = runtime.enter();
    let rounds = Rounds::default();
    let task = runtime.spawn(task(rounds.clone()));
    let is_under_way = becomes_true(|| rounds.begun.load(Ordering::SeqCst) > 2);
    let other = runtime.spawn(async {});
    let has_run = becomes_true(|| other.is_finished());
    rounds.is_over.store(true, Ordering::SeqCst);
    assert!(is_under_way, "the leaf is not always ready");
    assert!(has_run, "the leaf does not give way");
    task.join().expect("the task ends");
}

#[test]
fn joins_of_complete_tasks_give_way() {
    let elsewhere = runtime();
    let elsewhere = elsewhere.handle();
    assert_gives_way(|rounds| {
        let elsewhere = elsewhere.clone();
        async move {
            while rounds.go_on() {
                let task = elsewhere.spawn(async {});
                while !task.is_finished() {
                    thread::yield_now();
                }
                task.await.unwrap();
            }
        }
    });
}

#[test]
fn sleeps_of_no_time_give_way() {
    assert_gives_way(|rounds| async move {
        while rounds.go_on() {
            sleep(Duration::ZERO).await;
        }
    });
}

#[test]
fn due_ticks_give_way() {
    assert_gives_way(|rounds| async move {
        let mut ticks = interval(Duration::from_nanos(1));
        while rounds.go_on() {
            ticks.tick().await;
        }
    });
}

#[test]
fn elapsed_timeouts_give_way() {
    assert_gives_way(|rounds| async move {
        while rounds.go_on() {
            timeout(Duration::ZERO, pending::<()>()).await.unwrap_err();
        }
    });
}

/// A future that uses up the budget does not prevent a timeout.
#[test]
fn timeout_elapses_with_a_spent_budget() {
    let endless = async {
        loop {
            sleep(Duration::ZERO).await;
        }
    };
    let limited = timeout(Duration::from_millis(5), endless);
    let passed: Result<Infallible, _> = runtime().spawn(limited).join().unwrap();
    passed.unwrap_err();
}

fn loopback() -> (std::net::TcpListener, SocketAddr) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

/// Returns a connection with a byte to read.
fn connection() -> (TcpStream, std::net::TcpStream) {
    let (listener, address) = loopback();
    let far = std::net::TcpStream::connect(address).unwrap();
    (&far).write_all(b"x").unwrap();
    let (near, _) = listener.accept().unwrap();
    (TcpStream::from_std(near).unwrap(), far)
}

#[test]
fn ready_streams_give_way() {
    assert_gives_way(|rounds| async move {
        let (near, far) = UnixStream::pair().unwrap();
        let mut byte = [0];
        while rounds.go_on() {
            far.write_all(b"x").await.unwrap();
            near.read_exact(&mut byte).await.unwrap();
        }
    });
    assert_gives_way(|rounds| async move {
        let (near, _far) = connection();
        while rounds.go_on() {
            near.peek(&mut [0]).await.unwrap();
        }
    });
}

#[test]
fn datagram_sends_give_way() {
    assert_gives_way(|rounds| async move {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.connect(socket.local_addr().unwrap()).unwrap();
        while rounds.go_on() {
            socket.send(b"x").await.unwrap();
        }
    });
}

/// The errors of such a socket are ready at once.
#[test]
fn socket_of_a_dropped_runtime_gives_way() {
    assert_gives_way(|rounds| {
        let gone = runtime();
        let socket = {
            let _entered = gone.enter();
            UdpSocket::bind("127.0.0.1:0").unwrap()
        };
        drop(gone);
        async move {
            while rounds.go_on() {
                socket.recv(&mut [0]).await.unwrap_err();
            }
        }
    });
}

#[test]
fn readiness_gives_way() {
    assert_gives_way(|rounds| async move {
        let (near, _far) = connection();
        while rounds.go_on() {
            near.writable().await.unwrap();
        }
    });
    assert_gives_way(|rounds| async move {
        let (near, far) = UnixStream::pair().unwrap();
        while rounds.go_on() {
            far.try_write(b"x").unwrap();
            near.readable().await.unwrap();
            near.try_read(&mut [0]).unwrap();
        }
    });
}

#[volt::state_machine]
async fn waits_for_room(stream: TcpStream, rounds: Rounds) {
    while rounds.go_on() {
        stream.writable().await.unwrap();
    }
}

#[test]
fn readiness_in_a_machine_gives_way() {
    assert_gives_way(|rounds| {
        let (near, far) = connection();
        std::mem::forget(far);
        waits_for_room(near, rounds)
    });
}

fn pipe() -> Registered<PipeWriter> {
    let (reader, writer) = std::io::pipe().unwrap();
    std::mem::forget(reader);
    socket2::SockRef::from(&writer)
        .set_nonblocking(true)
        .unwrap();
    Registered::new(writer).unwrap()
}

#[test]
fn ready_descriptors_give_way() {
    assert_gives_way(|rounds| async move {
        let pipe = pipe();
        while rounds.go_on() {
            poll_fn(|cx| pipe.poll_write_ready(cx)).await.unwrap();
        }
    });
    assert_gives_way(|rounds| async move {
        let pipe = pipe();
        while rounds.go_on() {
            pipe.writable().await.unwrap();
        }
    });
    assert_gives_way(|rounds| async move {
        let pipe = pipe();
        while rounds.go_on() {
            poll_fn(|cx| pipe.poll_write_io(cx, |_| Ok(())))
                .await
                .unwrap();
        }
    });
}

#[test]
fn lookups_of_addresses_give_way() {
    assert_gives_way(|rounds| async move {
        while rounds.go_on() {
            lookup_host("127.0.0.1:80").await.unwrap();
        }
    });
}

#[test]
fn refused_connections_give_way() {
    assert_gives_way(|rounds| async move {
        let (listener, address) = loopback();
        drop(listener);
        while rounds.go_on() {
            connect(address).await.unwrap_err();
        }
    });
}

#[test]
fn paths_without_a_listener_give_way() {
    assert_gives_way(|rounds| async move {
        while rounds.go_on() {
            connect_unix("/nowhere/at/all").await.unwrap_err();
        }
    });
}

#[test]
fn accepts_and_connections_give_way() {
    assert_gives_way(|rounds| async move {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        while rounds.go_on() {
            let _near = connect(address).await.unwrap();
            listener.accept().await.unwrap();
        }
    });
}

/// The future of `block_on` is not a task, but is polled like a task.
#[test]
fn block_on_of_an_endless_future_gives_way() {
    async fn without_end() {
        loop {
            sleep(Duration::ZERO).await;
        }
    }
    fn timed_out() -> bool {
        let (sender, receiver) = std::sync::mpsc::channel();
        let limit = Duration::from_millis(5);
        let threads: [fn(Duration) -> bool; 3] = [
            |limit| runtime().block_on(async { timeout(limit, without_end()).await.is_err() }),
            |limit| {
                volt::LocalRuntime::new()
                    .unwrap()
                    .block_on(async { timeout(limit, without_end()).await.is_err() })
            },
            |limit| {
                let runtime = runtime();
                let _entered = runtime.enter();
                volt::block_on(async { timeout(limit, without_end()).await.is_err() })
            },
        ];
        for run in threads {
            let sender = sender.clone();
            thread::spawn(move || sender.send(run(limit)));
        }
        let wait = Duration::from_secs(20);
        (0..3).all(|_| receiver.recv_timeout(wait) == Ok(true))
    }
    assert!(timed_out());
}
