//! The nodes of futures that await no other future: sockets, files, jobs and processes.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::mpsc;
use std::task::{Context, Waker};
use std::time::Duration;

use volt::net::{Interest, TcpListener, TcpSocket, TcpStream, UdpSocket};
use volt::runtime::Runtime;
use volt_inspect::{Inspector, TreeWriter};

fn poll_is_pending<F: Future>(future: Pin<&mut F>) -> bool {
    let cx = &mut Context::from_waker(Waker::noop());
    future.poll(cx).is_pending()
}

fn tree<F>(future: Pin<&mut F>) -> String {
    let mut tree = TreeWriter::new(String::new());
    Inspector::new(&mut tree).future(future);
    tree.into_inner()
}

/// Polls a future until it waits, and returns its tree.
fn waiting_tree<F: Future>(future: F) -> String {
    let mut future = pin!(future);
    assert!(poll_is_pending(future.as_mut()));
    tree(future)
}

fn loopback() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").unwrap()
}

/// Occupies the only thread of the pool until the sender is dropped.
fn with_blocked_pool(test: impl AsyncFnOnce()) {
    let builder = Runtime::builder().worker_threads(1).max_blocking_threads(1);
    let runtime = builder.build().unwrap();
    let (sender, receiver) = mpsc::channel::<()>();
    let job = runtime.spawn_blocking(move || _ = receiver.recv());
    runtime.block_on(async {
        test().await;
        drop(sender);
        job.await.unwrap();
    });
}

#[test]
fn accept_shows_the_local_address() {
    volt::block_on(async {
        let listener = loopback();
        let address = listener.local_addr().unwrap();
        let expected = format!("Accept\n  waits for accept ({address})\n");
        assert_eq!(waiting_tree(listener.accept()), expected);
    });
}

#[test]
fn reads_and_peeks_show_the_peer() {
    volt::block_on(async {
        let listener = loopback();
        let address = listener.local_addr().unwrap();
        let stream = TcpStream::connect(address).await.unwrap();
        let mut buf = [0; 8];
        let expected = format!("Read\n  waits for read ({address})\n");
        assert_eq!(waiting_tree(stream.read(&mut buf)), expected);
        let expected = format!("Peek\n  waits for peek ({address})\n");
        assert_eq!(waiting_tree(stream.peek(&mut buf)), expected);
    });
}

#[test]
fn readiness_futures_show_the_direction() {
    volt::block_on(async {
        let listener = loopback();
        assert!(poll_is_pending(pin!(listener.accept())));
        let expected = "Readable\n  waits for readable\n";
        assert_eq!(waiting_tree(listener.readable()), expected);
        let stream = TcpStream::connect(listener.local_addr().unwrap())
            .await
            .unwrap();
        let interest = Interest::READABLE | Interest::PRIORITY;
        // A late event of the connect may make the stream ready again after a failed read.
        let shown = (0..1_000).find_map(|_| {
            assert!(stream.try_read(&mut [0; 8]).is_err());
            let mut ready = pin!(stream.ready(interest));
            poll_is_pending(ready.as_mut()).then(|| tree(ready))
        });
        let expected = "ReadyFor\n  waits for readable\n  waits for urgent data\n";
        assert_eq!(shown.as_deref(), Some(expected));
    });
}

/// Returns an address whose queue of connections is full, and the connections in it.
fn full_listener() -> (
    socket2::Socket,
    std::net::SocketAddr,
    Vec<std::net::TcpStream>,
) {
    let listener = socket2::Socket::new(
        socket2::Domain::IPV4,
        socket2::Type::STREAM,
        Some(socket2::Protocol::TCP),
    );
    let listener = listener.unwrap();
    let any: std::net::SocketAddr = "127.0.0.1:0".parse().unwrap();
    listener.bind(&any.into()).unwrap();
    listener.listen(0).unwrap();
    let address = listener.local_addr().unwrap().as_socket().unwrap();
    let limit = Duration::from_millis(100);
    let connections =
        std::iter::from_fn(|| std::net::TcpStream::connect_timeout(&address, limit).ok());
    let connections = connections.take(16).collect();
    (listener, address, connections)
}

#[cfg(target_os = "linux")]
#[test]
fn connects_show_the_address() {
    let (_listener, address, _connections) = full_listener();
    volt::block_on(async {
        let expected = format!("Connect\n  waits for connect ({address})\n");
        assert_eq!(waiting_tree(TcpStream::connect(address)), expected);
        let connect = TcpSocket::new_v4().unwrap().connect(address);
        let expected = format!("ConnectSocket\n  waits for connect ({address})\n");
        assert_eq!(waiting_tree(connect), expected);
    });
}

#[cfg(target_os = "linux")]
#[test]
fn connect_shows_all_attempts_and_the_next() {
    let (_listener, address, _connections) = full_listener();
    volt::block_on(async {
        let addresses = [address; 3];
        let mut connect = pin!(TcpStream::connect(&addresses[..]));
        assert!(poll_is_pending(connect.as_mut()));
        volt::time::sleep(Duration::from_millis(300)).await;
        assert!(poll_is_pending(connect.as_mut()));
        let tree = tree(connect);
        let attempt = format!("  waits for connect ({address})\n");
        let start = format!("Connect\n{attempt}{attempt}  waits for a timer in ");
        assert!(tree.starts_with(&start), "{tree}");
    });
}

#[test]
fn lookup_shows_its_job() {
    with_blocked_pool(async || {
        let tree = waiting_tree(TcpStream::connect("localhost:1"));
        let start = "Connect at lookup\n  LookupHost\n    waits for blocking job ";
        assert!(tree.starts_with(start), "{tree}");
    });
}

#[test]
fn datagram_futures_show_peer_or_local_address() {
    volt::block_on(async {
        let (near, far) = (
            UdpSocket::bind("127.0.0.1:0").unwrap(),
            UdpSocket::bind("127.0.0.1:0").unwrap(),
        );
        let (local, peer) = (near.local_addr().unwrap(), far.local_addr().unwrap());
        let mut buf = [0; 8];
        let expected = format!("RecvFrom\n  waits for recv_from ({local})\n");
        assert_eq!(waiting_tree(near.recv_from(&mut buf)), expected);
        let expected = format!("PeekFrom\n  waits for peek_from ({local})\n");
        assert_eq!(waiting_tree(near.peek_from(&mut buf)), expected);
        near.connect(peer).unwrap();
        let expected = format!("Recv\n  waits for recv ({peer})\n");
        assert_eq!(waiting_tree(near.recv(&mut buf)), expected);
        let expected = format!("SendTo\n  waits for send_to ({peer})\n");
        assert_eq!(tree(pin!(near.send_to(b"", peer))), expected);
        let expected = format!("SendConnected\n  waits for send ({peer})\n");
        assert_eq!(tree(pin!(near.send(b""))), expected);
    });
}

#[cfg(target_os = "linux")]
#[test]
fn unix_sockets_show_their_names() {
    use volt::net::{UnixDatagram, UnixListener, UnixStream};
    let name = |kind| format!("\0volt-leaf-trees-{kind}-{}", std::process::id());
    volt::block_on(async {
        let listener = UnixListener::bind(name("stream")).unwrap();
        let tree = waiting_tree(listener.accept());
        assert!(
            tree.starts_with("UnixAccept\n  waits for accept ("),
            "{tree}"
        );
        assert!(tree.contains("volt-leaf-trees-stream"), "{tree}");
        let connect = pin!(UnixStream::connect(name("stream")));
        let tree = self::tree(connect);
        assert!(
            tree.starts_with("UnixConnect\n  waits for connect ("),
            "{tree}"
        );
        assert!(tree.contains("volt-leaf-trees-stream"), "{tree}");
        let socket = UnixDatagram::bind(name("datagram")).unwrap();
        let mut buf = [0; 8];
        let tree = waiting_tree(socket.recv_from(&mut buf));
        assert!(
            tree.starts_with("RecvFrom\n  waits for recv_from ("),
            "{tree}"
        );
        assert!(tree.contains("volt-leaf-trees-datagram"), "{tree}");
        let tree = self::tree(pin!(socket.send_to(b"", name("other"))));
        assert!(tree.contains("volt-leaf-trees-other"), "{tree}");
    });
}

#[test]
fn job_handle_shows_the_job() {
    with_blocked_pool(async || {
        let job = volt::spawn_blocking(|| ());
        let tree = waiting_tree(job);
        assert!(
            tree.starts_with("JoinHandle\n  waits for blocking job "),
            "{tree}"
        );
        let task = volt::spawn(std::future::pending::<()>()).cancel_on_drop();
        let tree = waiting_tree(task);
        assert!(
            tree.starts_with("CancelOnDrop\n  waits for task "),
            "{tree}"
        );
    });
}

#[cfg(feature = "fs")]
#[test]
fn file_operations_show_their_jobs() {
    with_blocked_pool(async || {
        let operation = pin!(volt::fs::metadata("Cargo.toml"));
        assert_eq!(tree(operation), "Operation, not started\n");
        let tree = waiting_tree(volt::fs::metadata("Cargo.toml"));
        let start = "Operation\n  waits for blocking job ";
        assert!(tree.starts_with(start), "{tree}");
        let file = std::fs::File::open("Cargo.toml").unwrap();
        let mut file = volt::fs::File::from_std(file);
        let expected = "FileOperation\n  waits for a blocking job\n";
        assert_eq!(waiting_tree(file.metadata()), expected);
        let expected = "TryClone\n  FileOperation\n    waits for a blocking job\n";
        assert_eq!(waiting_tree(file.try_clone()), expected);
        let expected = "IntoStd\n  waits for a blocking job\n";
        assert_eq!(waiting_tree(file.into_std()), expected);
    });
}

#[cfg(all(unix, feature = "process"))]
#[test]
fn process_futures_show_the_process() {
    use volt::process::Command;
    volt::block_on(async {
        let mut child = Command::new("sleep").arg("600").spawn().unwrap();
        let id = child.id().unwrap();
        let expected = format!("Wait\n  waits for the exit of process {id}\n");
        assert_eq!(waiting_tree(child.wait()), expected);
        let expected = format!("Kill\n  waits for the exit of process {id}\n");
        assert_eq!(tree(pin!(child.kill())), expected);
        let mut output = pin!(child.wait_with_output());
        let expected = format!("Output\n  waits for the exit of process {id}\n");
        assert!(poll_is_pending(output.as_mut()));
        assert_eq!(tree(output.as_mut()), expected);
        let killed = std::process::Command::new("kill")
            .arg(id.to_string())
            .status();
        assert!(killed.unwrap().success());
        output.await.unwrap();
    });
}
