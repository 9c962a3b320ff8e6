//! Async methods of sockets, intervals and groups, awaited in machines.
#![cfg(all(unix, not(miri)))]

use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use volt::future::FutureGroup;
use volt::io::Registered;
use volt::net::{
    OwnedReadHalf, OwnedWriteHalf, TcpListener, TcpStream, UdpSocket, UnixDatagram, UnixListener,
    UnixStream,
};
use volt::task::yield_now;
use volt::time::{Interval, interval, sleep, timeout};
use volt::{Current, Group, Runtime};

fn runtime() -> Runtime {
    Runtime::new().expect("a runtime")
}

#[volt::state_machine]
async fn echo(stream: TcpStream) -> io::Result<usize> {
    let mut buf = [0u8; 4];
    let mut total = 0usize;
    loop {
        let read = stream.read(&mut buf).await?;
        if read == 0 {
            return Ok(total);
        }
        stream.write_all(&buf[..read]).await?;
        total += read;
    }
}

#[volt::state_machine]
async fn serve(listener: TcpListener) -> io::Result<usize> {
    let (stream, _): (TcpStream, SocketAddr) = listener.accept().await?;
    echo(stream).await
}

#[volt::state_machine]
async fn talk(address: SocketAddr) -> io::Result<Vec<u8>> {
    let stream = TcpStream::connect(address).await?;
    stream.writable().await?;
    let mut sent = 0usize;
    while sent < 11 {
        sent += stream.write(&b"hello world"[sent..]).await?;
    }
    stream.readable().await?;
    let mut first: [u8; 1] = [0];
    let peeked = stream.peek(&mut first).await?;
    let mut answer = vec![0u8; 11];
    stream.read_exact(&mut answer).await?;
    assert_eq!((peeked, first[0]), (1, answer[0]));
    Ok(answer)
}

#[test]
fn machines_speak_tcp() {
    let runtime = runtime();
    let _entered = runtime.enter();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a listener");
    let address = listener.local_addr().expect("an address");
    let served = runtime.spawn(serve(listener));
    let answer = runtime.block_on(talk(address)).expect("an answer");
    assert_eq!(answer, b"hello world");
    assert_eq!(
        runtime.block_on(served).expect("no panic").expect("served"),
        11
    );
}

#[volt::state_machine]
async fn reads_one(stream: Arc<TcpStream>) -> io::Result<u8> {
    let mut byte: [u8; 1] = [0];
    stream.read_exact(&mut byte).await?;
    Ok(byte[0])
}

/// The `poll_` methods share one waiter, with which the first task would never be woken.
#[test]
fn two_machines_wait_for_one_stream() {
    let runtime = runtime();
    let _entered = runtime.enter();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a listener");
    let address = listener.local_addr().expect("an address");
    runtime.block_on(async {
        let client = Arc::new(TcpStream::connect(address).await.expect("connected"));
        let (server, _) = listener.accept().await.expect("accepted");
        let readers = [reads_one(client.clone()), reads_one(client)].map(|one| runtime.spawn(one));
        sleep(Duration::from_millis(20)).await;
        server.write_all(b"a").await.expect("sent");
        server.write_all(b"b").await.expect("sent");
        let mut read = Vec::new();
        for reader in readers {
            let byte = timeout(Duration::from_secs(10), reader)
                .await
                .expect("woken");
            read.push(byte.expect("no panic").expect("a byte"));
        }
        read.sort_unstable();
        assert_eq!(read, b"ab");
    });
}

#[volt::state_machine]
async fn mirror(read: OwnedReadHalf, write: OwnedWriteHalf) -> io::Result<()> {
    let mut buf = [0u8; 3];
    read.read_exact(&mut buf).await?;
    write.write_all(&buf).await
}

#[volt::state_machine]
async fn through_halves(stream: UnixStream, bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    let mut answer = vec![0u8; bytes.len()];
    stream.write_all(&bytes).await?;
    let limit = Duration::from_secs(10);
    timeout(limit, stream.read_exact(&mut answer)).await??;
    Ok(answer)
}

#[test]
fn machines_use_halves_and_limits() {
    let runtime = runtime();
    let _entered = runtime.enter();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a listener");
    let address = listener.local_addr().expect("an address");
    runtime.block_on(async {
        let client = TcpStream::connect(address).await.expect("connected");
        let (server, _) = listener.accept().await.expect("accepted");
        let (read, write) = server.into_split();
        let mirror = runtime.spawn(mirror(read, write));
        client.write_all(b"abc").await.expect("sent");
        let mut answer = [0; 3];
        client.read_exact(&mut answer).await.expect("answered");
        assert_eq!(&answer, b"abc");
        mirror.await.expect("no panic").expect("mirrored");

        let (near, far) = UnixStream::pair().expect("a pair");
        let far = runtime.spawn(async move {
            let mut buf = [0; 4];
            far.read_exact(&mut buf).await?;
            far.write_all(&buf).await
        });
        let answer = through_halves(near, b"unix".to_vec()).await;
        assert_eq!(answer.expect("an answer"), b"unix");
        far.await.expect("no panic").expect("sent");
    });
}

#[volt::state_machine]
async fn pings(socket: UdpSocket, peer: SocketAddr) -> io::Result<usize> {
    let mut buf = [0u8; 16];
    socket.writable().await?;
    let sent: usize = socket.send_to(b"ping", peer).await?;
    let (received, from): (usize, SocketAddr) = socket.recv_from(&mut buf).await?;
    assert_eq!((sent, from), (received, peer));
    socket.connect(peer)?;
    let again: usize = socket.send(&buf[..received]).await?;
    let last: usize = socket.recv(&mut buf).await?;
    Ok(again + last)
}

#[volt::state_machine]
async fn local_pings(one: UnixDatagram, other: UnixDatagram) -> io::Result<usize> {
    let mut buf = [0u8; 16];
    let sent: usize = one.send(b"local").await?;
    let received: usize = other.recv(&mut buf).await?;
    Ok(sent + received)
}

#[test]
fn machines_send_datagrams() {
    let runtime = runtime();
    let _entered = runtime.enter();
    runtime.block_on(async {
        let one = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        let other = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        let peer = other.local_addr().expect("an address");
        let answers = runtime.spawn(async move {
            let mut buf = [0; 16];
            for _ in 0..2 {
                let (count, from) = other.recv_from(&mut buf).await?;
                other.send_to(&buf[..count], from).await?;
            }
            io::Result::Ok(())
        });
        assert_eq!(pings(one, peer).await.expect("answers"), 8);
        answers.await.expect("no panic").expect("sent");
        let (one, other) = UnixDatagram::pair().expect("a pair");
        assert_eq!(local_pings(one, other).await.expect("sent"), 10);
    });
}

#[volt::state_machine]
async fn by_path(listener: UnixListener, path: std::path::PathBuf) -> io::Result<bool> {
    let near = UnixStream::connect(path).await?;
    let (far, _): (UnixStream, std::os::unix::net::SocketAddr) = listener.accept().await?;
    near.write_all(b"!").await?;
    far.readable().await?;
    let mut byte = [0u8; 1];
    let read = far.read(&mut byte).await?;
    Ok(read == 1 && near.peer_addr().is_ok())
}

#[volt::state_machine]
async fn watches(pipe: Registered<io::PipeReader>) -> io::Result<Registered<io::PipeReader>> {
    pipe.readable().await?;
    Ok(pipe)
}

#[test]
fn machines_wait_for_paths_and_pipes() {
    let runtime = runtime();
    let _entered = runtime.enter();
    let path = std::env::temp_dir().join(format!("volt-leaves-{}", std::process::id()));
    let listener = UnixListener::bind(&path).expect("a listener");
    let both = runtime.block_on(by_path(listener, path.clone()));
    std::fs::remove_file(path).expect("removed");
    assert!(both.expect("both ends"));

    let (reader, mut writer) = io::pipe().expect("a pipe");
    socket2::SockRef::from(&reader)
        .set_nonblocking(true)
        .expect("set");
    let pipe = Registered::new(reader).expect("registered");
    let watched = runtime.spawn(watches(pipe));
    // A pipe may be reported readable before a write, so the task returns its end.
    writer.write_all(b".").expect("written");
    let pipe = runtime.block_on(watched).expect("no panic");
    drop(pipe.expect("readable"));
}

#[volt::state_machine]
async fn three_ticks(mut ticks: Interval) -> u32 {
    let mut count = 0u32;
    while count < 3 {
        ticks.tick().await;
        count += 1;
    }
    count
}

#[volt::state_machine]
async fn square(n: u32) -> u32 {
    yield_now().await;
    n * n
}

#[volt::state_machine]
async fn sums(mut group: Group<u32, Current>, mut futures: FutureGroup<square>) -> u32 {
    let mut sum = 0u32;
    while let Some((_id, left)) = group.next().await {
        sum += { left }.unwrap_or(0);
        yield_now().await;
    }
    while let Some((_id, value)) = futures.next().await {
        sum += value;
        yield_now().await;
    }
    group.spawn(square(10));
    let all: usize = group.join_all().await.len();
    group.spawn(square(11));
    let last: Vec<u32> = group.wait().await.unwrap_or_default();
    sum + all as u32 + last[0]
}

#[test]
fn machines_wait_for_ticks_and_groups() {
    let runtime = runtime();
    let _entered = runtime.enter();
    let ticks = interval(Duration::from_millis(1));
    assert_eq!(runtime.block_on(three_ticks(ticks)), 3);

    let group = Group::new(Current);
    group.spawn(square(2));
    group.spawn(square(3));
    let mut futures = FutureGroup::new();
    futures.insert(square(4));
    assert_eq!(runtime.block_on(sums(group, futures)), 4 + 9 + 16 + 1 + 121);
}
