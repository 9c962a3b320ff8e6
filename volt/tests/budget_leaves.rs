//! Every future and stream of the crate that can be ready at once spends budget, so a `timeout`
//! around a loop of them elapses.
#![cfg(all(feature = "process", feature = "signal", unix, not(miri)))]

use std::collections::BTreeSet;
use std::future::Future;
use std::io::{IoSlice, SeekFrom};
use std::pin::Pin;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use volt::io::{
    self, AsyncBufReadExt, AsyncReadExt, AsyncSeekExt, AsyncWriteExt, BufReader, BufWriter, copy,
    copy_buf,
};
use volt::net::pipe::pipe;
use volt::net::{
    Interest, TcpListener, TcpSocket, TcpStream, UdpSocket, UnixDatagram, UnixListener, UnixStream,
};
use volt::process::{Command, Stdio};
use volt::task::yield_now;
use volt::time::{interval, sleep, timeout};

type Leaf = Pin<Box<dyn Future<Output = ()>>>;

/// A name, and a function that returns a future which awaits the leaf in an endless loop.
type Case = (&'static str, fn() -> Leaf);

/// Declares a case: the statements run once, and the last expression runs in an endless loop.
macro_rules! cases {
    ($($name:literal: [$($setup:stmt);*] $leaf:expr;)*) => {
        &[$((
            $name,
            || Box::pin(async {
                $($setup)*
                loop {
                    let _ = $leaf;
                }
            }),
        )),*]
    };
}

#[track_caller]
fn assert_give_way(cases: &'static [Case]) {
    let (send, ended) = mpsc::channel();
    for &(name, leaf) in cases {
        let send = send.clone();
        thread::spawn(move || {
            let runtime = volt::LocalRuntime::new().expect("a runtime");
            let limited = async { timeout(Duration::from_millis(5), leaf()).await };
            let elapsed = runtime.block_on(limited).is_err();
            send.send((name, elapsed)).expect("the test waits");
        });
    }
    let mut left: BTreeSet<_> = cases.iter().map(|(name, _)| *name).collect();
    while !left.is_empty() {
        match ended.recv_timeout(Duration::from_secs(10)) {
            Ok((name, elapsed)) => assert!(elapsed && left.remove(name), "{name}"),
            Err(_) => panic!("no budget is spent by {left:?}"),
        }
    }
}

const NOWHERE: &str = "/nowhere/at/all";

fn refused() -> std::net::SocketAddr {
    ([127, 0, 0, 1], 1).into()
}

fn unix_address() -> std::os::unix::net::SocketAddr {
    std::os::unix::net::SocketAddr::from_pathname(NOWHERE).expect("an address")
}

#[test]
fn streams_in_memory_give_way() {
    assert_give_way(cases! {
        "empty, read": [] io::empty().read(&mut [0; 64]).await;
        "empty, fill_buf": [] io::empty().fill_buf().await;
        "repeat, read_exact": [] io::repeat(7).read_exact(&mut [0; 64]).await;
        "sink, write_all": [] io::sink().write_all(&[0; 64]).await;
        "sink, write_vectored": [] io::sink().write_vectored(&[IoSlice::new(b"x")]).await;
        "sink, flush": [] io::sink().flush().await;
        "sink, close": [] io::sink().close().await;
        "sink, flush of another crate": [] futures_lite::AsyncWriteExt::flush(&mut io::sink()).await;
        "duplex, write": [let mut near = io::duplex(8).0] near.write(b"x").await;
        "duplex, read at the end": [let mut near = io::duplex(8).0] near.read(&mut [0; 4]).await;
        "duplex, flush": [let mut near = io::duplex(8).0] near.flush().await;
        "duplex, close": [let mut near = io::duplex(8).0] near.close().await;
        "a slice, read": [] (&b"x"[..]).read(&mut [0; 4]).await;
        "a slice, read_vectored": [] (&b"x"[..]).read_vectored(&mut []).await;
        "a slice, read_buf": [] (&b"x"[..]).read_buf(&mut Vec::new()).await;
        "a slice, read_exact of nothing": [] (&b""[..]).read_exact(&mut []).await;
        "a slice, read_to_end": [] (&b"x"[..]).read_to_end(&mut Vec::new()).await;
        "a slice, read_to_string": [] (&b"x"[..]).read_to_string(&mut String::new()).await;
        "a slice, read_u16": [] (&b"x"[..]).read_u16().await;
        "a slice, read_until": [] (&b"x"[..]).read_until(b'x', &mut Vec::new()).await;
        "a slice, read_line": [] (&b"x"[..]).read_line(&mut String::new()).await;
        "a slice, lines": [let mut lines = (&b""[..]).lines()] lines.next_line().await;
        "a slice, split": [let mut pieces = BufReader::new(&b""[..]).split(0)] pieces.next_segment().await;
        "a slice, take": [] (&b"x"[..]).take(0).read(&mut [0; 4]).await;
        "a slice, chain": [] (&b""[..]).chain(&b""[..]).read(&mut [0; 4]).await;
        "a vector, write_all": [let mut to = vec![]] to.write_all(b"").await;
        "a vector, write": [let mut to = vec![]] to.write(b"").await;
        "a vector, write_u16": [] vec![].write_u16(1).await;
        "a vector, flush": [] vec![].flush().await;
        "a vector, close": [] vec![].close().await;
        "BufReader, fill_buf": [let mut reader = BufReader::new(&b"x"[..])] reader.fill_buf().await;
        "BufReader, fill_to": [let mut reader = BufReader::new(&b"x"[..])] reader.fill_to(1).await;
        "BufReader, read_u8": [let mut reader = BufReader::new(&b""[..])] reader.read_u8().await;
        "BufReader, read": [] BufReader::new(&b"x"[..]).read(&mut [0; 1]).await;
        "BufWriter, write": [] BufWriter::new(vec![]).write(b"x").await;
        "BufWriter, flush": [] BufWriter::new(vec![]).flush().await;
        "copy": [] copy(&b""[..], vec![]).await;
        "copy_buf": [] copy_buf(&b""[..], vec![]).await;
        "copy_bidirectional": [
            let (mut a, mut b) = (io::duplex(8).0, io::duplex(8).0)
        ] io::copy_bidirectional(&mut a, &mut b).await;
        "a cursor, seek": [
            let mut cursor = futures::io::Cursor::new([0; 8])
        ] cursor.seek(SeekFrom::Start(1)).await;
        "a cursor, rewind": [
            let mut cursor = futures::io::Cursor::new([0; 8])
        ] cursor.rewind().await;
        "a cursor, stream_position": [
            let mut cursor = futures::io::Cursor::new([0; 8])
        ] cursor.stream_position().await;
        "halves": [let (mut read, _write) = io::split(io::duplex(8).0)] read.read(&mut [0; 4]).await;
    });
}

#[test]
fn sockets_give_way() {
    assert_give_way(cases! {
        "connect, no addresses": [] TcpStream::connect(&[][..]).await;
        "connect, refused": [] TcpStream::connect(refused()).await;
        "TcpSocket, wrong family": [] {
            let socket = TcpSocket::new_v4().expect("a socket");
            socket.connect("[::1]:1".parse().expect("an address")).await
        };
        "connect_unix, nowhere": [] UnixStream::connect(NOWHERE).await;
        "connect_unix, too long": [] UnixStream::connect("x".repeat(1000)).await;
        "connect_addr, nowhere": [] UnixStream::connect_addr(&unix_address()).await;
        "send_to a path, nowhere": [
            let socket = UnixDatagram::unbound().expect("a socket")
        ] socket.send_to(b"x", NOWHERE).await;
        "lookup_host": [] volt::net::lookup_host("127.0.0.1:80").await;
        "flush": [let (near, _far) = UnixStream::pair().expect("a pair")] (&near).flush().await;
        "close": [let (near, _far) = UnixStream::pair().expect("a pair")] (&near).close().await;
        "poll_close of a half": [
            let (near, _far) = UnixStream::pair().expect("a pair");
            let (_read, write) = near.into_split()
        ] std::future::poll_fn(|cx| write.poll_close(cx)).await;
        "read at the end": [
            let near = UnixStream::pair().expect("a pair").0
        ] near.read(&mut [0; 4]).await;
        "read_exact of nothing": [
            let (near, _far) = UnixStream::pair().expect("a pair")
        ] near.read_exact(&mut []).await;
        "write_all of nothing": [
            let (near, _far) = UnixStream::pair().expect("a pair")
        ] near.write_all(&[]).await;
        "write to a closed peer": [
            let near = UnixStream::pair().expect("a pair").0
        ] near.write(b"x").await;
        "ready": [
            let (near, _far) = UnixStream::pair().expect("a pair")
        ] near.ready(Interest::READABLE | Interest::WRITABLE).await;
        "readable": [let near = UnixStream::pair().expect("a pair").0] near.readable().await;
        "writable": [
            let (near, _far) = UnixStream::pair().expect("a pair")
        ] near.writable().await;
        "send": [
            let socket = UdpSocket::bind("127.0.0.1:0").expect("a socket");
            socket.connect(socket.local_addr().expect("an address")).expect("connected")
        ] socket.send(b"x").await;
        "recv, not connected": [
            let (near, far) = UnixDatagram::pair().expect("a pair");
            drop(far)
        ] near.send(b"x").await;
        "accept": [
            let listener = TcpListener::bind("127.0.0.1:0").expect("a listener");
            let address = listener.local_addr().expect("an address")
        ] {
            let _near = TcpStream::connect(address).await;
            listener.accept().await
        };
    });
}

#[test]
fn pipes_give_way() {
    assert_give_way(cases! {
        "pipe, write": [let (mut sender, _receiver) = pipe().expect("a pipe")] sender.write(b"").await;
        "pipe, flush": [let (mut sender, _receiver) = pipe().expect("a pipe")] sender.flush().await;
        "pipe, read at the end": [
            let (sender, mut receiver) = pipe().expect("a pipe");
            drop(sender)
        ] receiver.read(&mut [0; 4]).await;
    });
}

#[cfg(target_os = "linux")]
#[test]
fn unix_listeners_give_way() {
    assert_give_way(cases! {
        "accept of a path": [
            let path = format!("\0volt-leaf-{}", std::process::id());
            let listener = UnixListener::bind(&path).expect("a listener")
        ] {
            let _near = UnixStream::connect(&path).await;
            listener.accept().await
        };
    });
}

#[test]
fn processes_and_signals_give_way() {
    assert_give_way(cases! {
        "output, missing": [] Command::new("no such program").output().await;
        "status, missing": [] Command::new("no such program").status().await;
        "failed status again": [let mut status = Command::new("no such program").status()]
            (&mut status).await;
        "wait, ended": [let mut child = Command::new("true").spawn().expect("started")]
            child.wait().await;
        "kill, ended": [
            let mut child = Command::new("true").spawn().expect("started");
            let _ = child.wait().await
        ] child.kill().await;
        "stdin, flush": [let mut stdin = stdin()] stdin.flush().await;
        "stdin, closed": [let mut stdin = stdin()] {
            stdin.close().await.expect("closed");
            stdin.write(b"x").await
        };
        "signal": [
            let kind = volt::signal::unix::SignalKind::window_change();
            let mut signal = volt::signal::unix::signal(kind).expect("a listener")
        ] {
            signal_hook::low_level::raise(kind.as_raw_value()).expect("raised");
            signal.recv().await
        };
    });
}

fn stdin() -> volt::process::ChildStdin {
    let mut command = Command::new("true");
    let mut child = command.stdin(Stdio::piped()).spawn().expect("started");
    child.stdin.take().expect("a pipe")
}

#[cfg(feature = "fs")]
#[test]
fn files_give_way() {
    use volt::fs::File;
    assert_give_way(cases! {
        "open, missing": [] File::open(NOWHERE).await;
        "into_std": [] File::open("/dev/null").await.expect("opened").into_std().await;
        "try_clone": [
            let mut file = File::open("/dev/null").await.expect("opened")
        ] file.try_clone().await;
        "read at the end": [
            let mut file = File::open("/dev/null").await.expect("opened")
        ] file.read(&mut [0; 4]).await;
        "read of nothing": [
            let mut file = File::open("/dev/null").await.expect("opened")
        ] file.read(&mut []).await;
        "flush": [let mut file = File::open("/dev/null").await.expect("opened")] file.flush().await;
        "close": [let mut file = File::open("/dev/null").await.expect("opened")] file.close().await;
        "seek": [
            let mut file = File::open("/dev/null").await.expect("opened")
        ] file.seek(SeekFrom::Start(0)).await;
        "next_entry, the end": [
            let mut folder = volt::fs::read_dir("/proc/self/ns").await.expect("opened")
        ] folder.next_entry().await;
    });
}

/// The traits of another crate charge no budget, so the stream itself must.
#[cfg(feature = "fs")]
#[test]
fn streams_polled_by_other_crates_give_way() {
    use futures_lite::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt};
    use volt::fs::{File, OpenOptions};

    assert_give_way(cases! {
        "read, not allowed": [
            let null = OpenOptions::new().write(true).clone().open("/dev/null");
            let mut file = null.await.expect("opened")
        ] AsyncReadExt::read(&mut file, &mut [0; 4]).await;
        "read of nothing": [
            let mut file = File::open("/dev/null").await.expect("opened")
        ] AsyncReadExt::read(&mut file, &mut []).await;
        "write, not allowed": [
            let mut file = File::open("/dev/null").await.expect("opened")
        ] AsyncWriteExt::write(&mut file, b"x").await;
        "stdin, read of nothing": [] AsyncReadExt::read(&mut io::stdin(), &mut []).await;
        "take of nothing": [
            let mut reader = io::AsyncReadExt::take(io::repeat(1), 0)
        ] AsyncReadExt::read(&mut reader, &mut [0; 4]).await;
        "take of nothing, fill_buf": [
            let mut reader = io::AsyncReadExt::take(BufReader::new(io::repeat(1)), 0)
        ] futures_lite::AsyncBufReadExt::fill_buf(&mut reader).await.map(<[u8]>::len);
        "BufReader, read of nothing": [
            let mut reader = BufReader::new(io::repeat(1));
            let _ = AsyncReadExt::read(&mut reader, &mut [0; 4]).await
        ] AsyncReadExt::read(&mut reader, &mut []).await;
        "BufReader, seek too far": [
            let mut reader = BufReader::new(futures::io::Cursor::new([0; 8]));
            let _ = AsyncReadExt::read(&mut reader, &mut [0; 4]).await
        ] AsyncSeekExt::seek(&mut reader, SeekFrom::Current(i64::MIN)).await;
        "BufWriter, write of nothing": [
            let mut writer = BufWriter::new(io::sink())
        ] AsyncWriteExt::write(&mut writer, &[]).await;
    });
}

#[test]
fn groups_give_way() {
    use volt::{Current, Group};

    assert_give_way(cases! {
        "next": [let mut group = Group::<()>::new(Current)] group.next().await;
        "join_all": [let mut group = Group::<()>::new(Current)] group.join_all().await;
        "wait": [let mut group = Group::<()>::new(Current)] group.wait().await;
        "shutdown": [let mut group = Group::<()>::new(Current)] group.shutdown().await;
    });
}

#[test]
fn tasks_timers_and_jobs_give_way() {
    assert_give_way(cases! {
        "join": [] {
            let task = volt::runtime::spawn_local(async {});
            while !task.is_finished() {
                yield_now().await;
            }
            task.await
        };
        "job": [] volt::spawn_blocking(|| ()).await;
        "sleep": [] sleep(Duration::ZERO).await;
        "tick": [let mut ticks = interval(Duration::from_nanos(1))] ticks.tick().await;
        "timeout": [] timeout(Duration::ZERO, std::future::pending::<()>()).await;
        "yield_now": [] yield_now().await;
        "consume_budget": [] volt::task::consume_budget().await;
        "cooperative": [] volt::task::cooperative(std::future::ready(())).await;
    });
}
