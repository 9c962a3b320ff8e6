//! tokio's multi-thread runtime.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::{JoinHandle, block_in_place};

use crate::executor::{Drives, Ends, Executor, Joins};

#[derive(Clone)]
pub(crate) struct OnTokio(Arc<Runtime>);

impl Executor for OnTokio {
    const NAME: &'static str = "tokio";

    type Handle<T: Send + 'static> = JoinHandle<T>;

    fn start(workers: usize) -> Self {
        let mut builder = Builder::new_multi_thread();
        let runtime = builder.worker_threads(workers).enable_all().build();
        Self(Arc::new(runtime.expect("tokio starts")))
    }

    fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.0.block_on(future)
    }

    fn spawn<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        self.0.spawn(future)
    }

    fn spawn_here<F>(future: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        tokio::spawn(future)
    }

    async fn join<T: Send + 'static>(handle: JoinHandle<T>) -> T {
        handle.await.expect("the task does not fail")
    }

    fn detach<T: Send + 'static>(handle: JoinHandle<T>) {
        drop(handle);
    }

    fn yield_now() -> impl Future<Output = ()> + Send {
        tokio::task::yield_now()
    }
}

impl Joins for OnTokio {
    fn join_here<T: Send + 'static>(handle: JoinHandle<T>) -> T {
        block_in_place(|| Handle::current().block_on(Self::join(handle)))
    }
}

impl Ends for OnTokio {
    fn shutdown(self, limit: Duration) {
        let runtime = Arc::into_inner(self.0).expect("there are no clones");
        runtime.shutdown_timeout(limit);
    }
}

impl Drives for OnTokio {
    type Listener = TcpListener;
    type Stream = TcpStream;

    fn sleep(duration: Duration) -> impl Future<Output = ()> + Send + 'static {
        tokio::time::sleep(duration)
    }

    async fn timeout<F>(duration: Duration, future: F) -> Option<F::Output>
    where
        F: Future<Output: Send> + Send,
    {
        tokio::time::timeout(duration, future).await.ok()
    }

    async fn listen() -> (TcpListener, SocketAddr) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let listener = listener.expect("a free port");
        let address = listener.local_addr().expect("an address");
        (listener, address)
    }

    async fn accept(listener: &TcpListener) -> TcpStream {
        listener.accept().await.expect("a client connects").0
    }

    async fn connect(address: SocketAddr) -> TcpStream {
        let stream = TcpStream::connect(address).await;
        let stream = stream.expect("the server listens");
        stream.set_nodelay(true).expect("a socket");
        stream
    }

    async fn read(stream: &mut TcpStream, buf: &mut [u8]) -> usize {
        stream.read(buf).await.unwrap_or(0)
    }

    async fn read_exact(stream: &mut TcpStream, buf: &mut [u8]) {
        stream.read_exact(buf).await.expect("the peer answers");
    }

    async fn write_all(stream: &mut TcpStream, buf: &[u8]) {
        stream.write_all(buf).await.expect("the peer reads");
    }
}
