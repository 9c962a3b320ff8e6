//! smol: readiness by epoll; files by blocking threads.

use std::io::{self, SeekFrom};
use std::net::SocketAddr;
use std::sync::Arc;

use smol::fs::File;
use smol::io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt};
use smol::net::{TcpListener, TcpStream};
use smol::{Executor, block_on, future};
use smol_hyper::rt::FuturesIo;

use super::Reads;
use super::http::answer;

pub(super) fn serve(address: SocketAddr, bytes: usize, threads: usize) -> io::Result<()> {
    let executor = start(threads);
    let connections = executor.clone();
    block_on(executor.spawn(async move {
        let listener = TcpListener::bind(address).await?;
        loop {
            let (stream, _) = listener.accept().await?;
            connections.spawn(echo(stream, bytes)).detach();
        }
    }))
}

pub(super) fn serve_http(address: SocketAddr, threads: usize) -> io::Result<()> {
    let executor = start(threads);
    let connections = executor.clone();
    block_on(executor.spawn(async move {
        let listener = TcpListener::bind(address).await?;
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            connections.spawn(answer(FuturesIo::new(stream))).detach();
        }
    }))
}

fn start(threads: usize) -> Arc<Executor<'static>> {
    let executor = Arc::new(Executor::new());
    for _ in 0..threads {
        let executor = executor.clone();
        std::thread::spawn(move || block_on(executor.run(future::pending::<()>())));
    }
    executor
}

async fn echo(mut stream: TcpStream, bytes: usize) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer = vec![0; bytes];
    loop {
        let count = stream.read(&mut buffer).await?;
        if count == 0 {
            return Ok(());
        }
        stream.write_all(&buffer[..count]).await?;
    }
}

pub(super) fn read(reads: Reads) -> io::Result<()> {
    let executor = start(1);
    let tasks: Vec<_> = (0..reads.tasks)
        .map(|task| executor.spawn(read_all(reads.clone(), task)))
        .collect();
    block_on(async {
        for task in tasks {
            task.await?;
        }
        Ok(())
    })
}

async fn read_all(reads: Reads, task: usize) -> io::Result<()> {
    let mut file = File::open(&reads.path).await?;
    let mut buffer = vec![0; reads.bytes];
    for offset in reads.offsets(task) {
        file.seek(SeekFrom::Start(offset)).await?;
        file.read_exact(&mut buffer).await?;
    }
    Ok(())
}
