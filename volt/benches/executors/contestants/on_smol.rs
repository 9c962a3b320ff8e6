//! smol: async-executor, with the reactor of async-io.

use std::future::pending;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use async_executor::{StaticExecutor, Task};
use async_io::{Async, Timer};
use futures_lite::{AsyncReadExt, AsyncWriteExt, future};

use crate::executor::{Drives, Executor};

static EXECUTOR: StaticExecutor = StaticExecutor::new();

#[derive(Clone)]
pub(crate) struct OnSmol;

impl Executor for OnSmol {
    const NAME: &'static str = "async-executor";

    type Handle<T: Send + 'static> = Task<T>;

    fn start(workers: usize) -> Self {
        for _ in 0..workers {
            thread::spawn(|| async_io::block_on(EXECUTOR.run(pending::<()>())));
        }
        Self
    }

    fn block_on<F: Future>(&self, future: F) -> F::Output {
        async_io::block_on(future)
    }

    fn spawn<F>(&self, future: F) -> Task<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        EXECUTOR.spawn(future)
    }

    fn spawn_here<F>(future: F) -> Task<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        EXECUTOR.spawn(future)
    }

    async fn join<T: Send + 'static>(handle: Task<T>) -> T {
        handle.await
    }

    fn detach<T: Send + 'static>(handle: Task<T>) {
        handle.detach();
    }

    fn yield_now() -> impl Future<Output = ()> + Send {
        future::yield_now()
    }
}

impl Drives for OnSmol {
    type Listener = Async<TcpListener>;
    type Stream = Async<TcpStream>;

    async fn sleep(duration: Duration) {
        Timer::after(duration).await;
    }

    /// The timeout from the documentation of async-io.
    async fn timeout<F>(duration: Duration, future: F) -> Option<F::Output>
    where
        F: Future<Output: Send> + Send,
    {
        let late = async {
            Timer::after(duration).await;
            None
        };
        future::or(async { Some(future.await) }, late).await
    }

    async fn listen() -> (Async<TcpListener>, SocketAddr) {
        let listener = Async::<TcpListener>::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let address = listener.get_ref().local_addr().expect("an address");
        (listener, address)
    }

    async fn accept(listener: &Async<TcpListener>) -> Async<TcpStream> {
        listener.accept().await.expect("a client connects").0
    }

    async fn connect(address: SocketAddr) -> Async<TcpStream> {
        let stream = Async::<TcpStream>::connect(address).await;
        let stream = stream.expect("the server listens");
        stream.get_ref().set_nodelay(true).expect("a socket");
        stream
    }

    async fn read(stream: &mut Async<TcpStream>, buf: &mut [u8]) -> usize {
        stream.read(buf).await.unwrap_or(0)
    }

    async fn read_exact(stream: &mut Async<TcpStream>, buf: &mut [u8]) {
        stream.read_exact(buf).await.expect("the peer answers");
    }

    async fn write_all(stream: &mut Async<TcpStream>, buf: &[u8]) {
        stream.write_all(buf).await.expect("the peer reads");
    }
}
