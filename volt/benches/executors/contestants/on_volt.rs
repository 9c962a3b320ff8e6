//! volt's own runtime.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use volt::net::{TcpListener, TcpStream};
use volt::{Builder, JoinHandle, Runtime};

use crate::executor::{Drives, Ends, Executor, Joins};

#[derive(Clone)]
pub(crate) struct OnVolt(Arc<Runtime>);

impl Executor for OnVolt {
    const NAME: &'static str = "volt";

    type Handle<T: Send + 'static> = JoinHandle<T>;

    fn start(workers: usize) -> Self {
        let runtime = Builder::new().worker_threads(workers).build();
        Self(Arc::new(runtime.expect("volt starts")))
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
        volt::spawn(future)
    }

    async fn join<T: Send + 'static>(handle: JoinHandle<T>) -> T {
        handle.await.expect("the task does not fail")
    }

    fn detach<T: Send + 'static>(handle: JoinHandle<T>) {
        handle.detach();
    }

    fn yield_now() -> impl Future<Output = ()> + Send {
        volt::task::yield_now()
    }
}

impl Joins for OnVolt {
    fn join_outside<T: Send + 'static>(&self, handle: JoinHandle<T>) -> T {
        Self::join_here(handle)
    }

    fn join_here<T: Send + 'static>(handle: JoinHandle<T>) -> T {
        handle.join().expect("the task does not fail")
    }
}

impl Ends for OnVolt {
    fn shutdown(self, limit: Duration) {
        let runtime = Arc::into_inner(self.0).expect("there are no clones");
        assert_eq!(runtime.shutdown(limit).tasks().len(), 1);
    }
}

impl Drives for OnVolt {
    type Listener = TcpListener;
    type Stream = TcpStream;

    fn sleep(duration: Duration) -> impl Future<Output = ()> + Send + 'static {
        volt::time::sleep(duration)
    }

    async fn timeout<F>(duration: Duration, future: F) -> Option<F::Output>
    where
        F: Future<Output: Send> + Send,
    {
        volt::time::timeout(duration, future).await.ok()
    }

    async fn listen() -> (TcpListener, SocketAddr) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
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
