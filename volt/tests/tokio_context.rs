//! Leaves of tokio on a runtime of volt, and leaves of volt on a runtime of tokio.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};

fn with_context() -> volt::Runtime {
    volt::Runtime::builder().tokio_context().build().unwrap()
}

const SHORT: Duration = Duration::from_millis(2);

/// Echoes one connection of a tokio listener, and returns the number of bytes.
async fn echo_once(listener: tokio::net::TcpListener) -> usize {
    let (mut stream, _) = listener.accept().await.unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.unwrap();
    stream.write_all(&bytes).await.unwrap();
    bytes.len()
}

fn pattern(len: usize) -> Vec<u8> {
    (0_u32..)
        .map(|n| (n.wrapping_mul(n) >> 3).to_le_bytes()[0])
        .take(len)
        .collect()
}

#[volt::test(tokio_context = true)]
async fn attribute_gives_a_local_runtime_the_context() {
    tokio::time::sleep(SHORT).await;
}

#[volt::test(tokio_context = true, workers = 2)]
async fn attribute_gives_workers_the_context() {
    volt::spawn(tokio::time::sleep(SHORT)).await.unwrap();
}

#[volt::test(tokio_context = false)]
async fn attribute_without_the_context_has_none() {
    assert!(tokio::runtime::Handle::try_current().is_err());
}

#[test]
fn tokio_sockets_and_timers_work_in_tasks() {
    with_context().block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address: SocketAddr = listener.local_addr().unwrap();
        let server = volt::spawn(echo_once(listener));
        let client = volt::spawn(async move {
            tokio::time::sleep(SHORT).await;
            let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
            stream.write_all(&pattern(300_000)).await.unwrap();
            stream.shutdown().await.unwrap();
            let mut back = Vec::new();
            stream.read_to_end(&mut back).await.unwrap();
            back
        });
        assert_eq!(server.await.unwrap(), 300_000);
        assert!(client.await.unwrap() == pattern(300_000));
    });
}

#[test]
fn tokio_is_found_by_blocking_jobs_and_under_enter() {
    let runtime = with_context();
    let job = runtime.spawn_blocking(|| tokio::runtime::Handle::try_current().is_ok());
    assert!(runtime.block_on(job).unwrap());
    assert!(tokio::runtime::Handle::try_current().is_err());
    let entered = runtime.enter();
    assert!(tokio::runtime::Handle::try_current().is_ok());
    drop(entered);
    assert!(tokio::runtime::Handle::try_current().is_err());
}

#[test]
fn tokio_is_found_where_a_join_polls_its_target() {
    let runtime = with_context();
    // The joining thread can poll the task.
    let handle = runtime.spawn(async {
        tokio::time::sleep(SHORT).await;
        tokio::spawn(async { 42 }).await.unwrap()
    });
    assert_eq!(handle.join().unwrap(), 42);
}

#[test]
fn local_runtime_has_a_context_too() {
    let runtime = volt::Builder::new().tokio_context().build_local().unwrap();
    let ended = runtime.block_on(async {
        let local = volt::spawn_local(async {
            tokio::time::sleep(SHORT).await;
            std::rc::Rc::new(7)
        });
        *local.await.unwrap()
    });
    assert_eq!(ended, 7);
}

#[test]
fn runtime_without_a_context_enters_none() {
    let runtime = volt::Runtime::new().unwrap();
    let found = runtime.block_on(async { tokio::runtime::Handle::try_current().is_ok() });
    assert!(!found);
}

#[test]
fn dropped_runtime_drops_its_tokio_context() {
    struct SendsOnDrop(std::sync::mpsc::Sender<()>);
    impl Drop for SendsOnDrop {
        fn drop(&mut self) {
            let _ = self.0.send(());
        }
    }

    let (sender, receiver) = std::sync::mpsc::channel();
    let runtime = with_context();
    runtime.block_on(async {
        let guard = SendsOnDrop(sender);
        tokio::spawn(async move {
            let _guard = guard;
            std::future::pending::<()>().await;
        });
    });
    drop(runtime);
    receiver
        .recv_timeout(Duration::from_secs(30))
        .expect("the task of tokio is dropped");
}

#[test]
fn attached_future_finds_volt_on_tokio() {
    let volt = volt::Runtime::new().unwrap();
    let handle = volt.handle().clone();
    let tokio = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .build()
        .unwrap();
    tokio.block_on(async {
        let exchange = tokio::spawn(handle.attach(async {
            let listener = volt::net::TcpListener::bind("127.0.0.1:0").unwrap();
            let client = volt::net::connect(listener.local_addr().unwrap())
                .await
                .unwrap();
            let (server, _) = listener.accept().await.unwrap();
            volt::time::sleep(SHORT).await;
            server.write_all(b"from volt").await.unwrap();
            drop(server);
            let mut bytes = [0; 9];
            client.read_exact(&mut bytes).await.unwrap();
            bytes
        }));
        assert_eq!(&exchange.await.unwrap(), b"from volt");
    });
}

#[test]
fn attached_future_is_dropped_in_its_runtime() {
    struct ReportsRuntime(std::sync::mpsc::Sender<bool>);
    impl Drop for ReportsRuntime {
        fn drop(&mut self) {
            self.0.send(volt::Handle::try_current().is_some()).unwrap();
        }
    }

    let volt = volt::Runtime::new().unwrap();
    let (sender, receiver) = std::sync::mpsc::channel();
    let guard = ReportsRuntime(sender);
    drop(volt.handle().attach(async move {
        let _guard = guard;
    }));
    assert!(receiver.recv().unwrap());
}

#[test]
fn volt_sockets_carry_tokio_traits() {
    let runtime = volt::Runtime::new().unwrap();
    runtime.block_on(async {
        let listener = volt::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let client = volt::net::connect(listener.local_addr().unwrap())
            .await
            .unwrap();
        let (mut server, _) = listener.accept().await.unwrap();
        let echo = volt::spawn(async move {
            let mut bytes = Vec::new();
            server.read_to_end(&mut bytes).await.unwrap();
            AsyncWriteExt::write_all(&mut server, &bytes).await.unwrap();
        });
        let (mut read, mut write) = client.into_split();
        let writer = volt::spawn(async move {
            AsyncWriteExt::write_all(&mut write, &pattern(1_000_000))
                .await
                .unwrap();
        });
        writer.await.unwrap();
        let mut back = Vec::with_capacity(1 << 21);
        read.read_to_end(&mut back).await.unwrap();
        assert!(back == pattern(1_000_000));
        echo.await.unwrap();
    });
}

/// Tasks of tokio run on a thread that is in the runtime of volt.
#[test]
fn tasks_of_tokio_find_the_runtime() {
    fn on_both(handle: &volt::Handle) {
        let here = handle.id();
        let found = move || async move {
            assert_eq!(volt::Handle::current().id(), here);
            volt::time::sleep(SHORT).await;
            volt::spawn(async { volt::Handle::current().id() })
                .await
                .unwrap()
        };
        handle.block_on(async {
            // The first task runs on the worker thread of tokio, the job on a blocking thread.
            assert_eq!(tokio::spawn(found()).await.unwrap(), here);
            let job = tokio::task::spawn_blocking(|| volt::Handle::current().id());
            assert_eq!(job.await.unwrap(), here);
        });
    }
    on_both(with_context().handle());
    let local = volt::Builder::new().tokio_context().build_local().unwrap();
    let handle = local.handle().clone();
    local.block_on(async {
        assert_eq!(handle.id(), volt::Handle::current().id());
        let spawned = tokio::spawn(async { volt::spawn(async { 3 }).await.unwrap() });
        assert_eq!(spawned.await.unwrap(), 3);
    });
}

/// Neither runtime keeps the other alive.
#[test]
fn both_runtimes_end_with_the_last_handle() {
    let kept = std::sync::Arc::new(());
    let by_hook = std::sync::Arc::clone(&kept);
    let builder = volt::Runtime::builder().tokio_context();
    let runtime = builder
        .on_thread_start(move || _ = std::sync::Arc::strong_count(&by_hook))
        .build()
        .unwrap();
    runtime.block_on(async {
        tokio::spawn(async { volt::Handle::current().id() })
            .await
            .unwrap()
    });
    drop(runtime);
    let end = std::time::Instant::now() + Duration::from_secs(20);
    while std::sync::Arc::strong_count(&kept) > 1 && std::time::Instant::now() < end {
        std::thread::sleep(SHORT);
    }
    assert_eq!(
        std::sync::Arc::strong_count(&kept),
        1,
        "the scheduler is still alive"
    );
}
