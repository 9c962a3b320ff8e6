//! tokio: readiness by epoll; files by blocking threads.

use std::io::{self, SeekFrom};
use std::net::SocketAddr;

use hyper_util::rt::TokioIo;
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::Reads;
use super::http::answer;

pub(super) fn serve(address: SocketAddr, bytes: usize, threads: usize) -> io::Result<()> {
    runtime(threads)?.block_on(async move {
        let listener = TcpListener::bind(address).await?;
        let accept = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await?;
                tokio::spawn(echo(stream, bytes));
            }
        });
        accept.await.expect("no panic")
    })
}

pub(super) fn serve_http(address: SocketAddr, threads: usize) -> io::Result<()> {
    runtime(threads)?.block_on(async move {
        let listener = TcpListener::bind(address).await?;
        let accept = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await?;
                stream.set_nodelay(true)?;
                tokio::spawn(answer(TokioIo::new(stream)));
            }
        });
        accept.await.expect("no panic")
    })
}

fn runtime(threads: usize) -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .enable_all()
        .build()
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
    runtime(1)?.block_on(async move {
        let tasks: Vec<_> = (0..reads.tasks)
            .map(|task| tokio::spawn(read_all(reads.clone(), task)))
            .collect();
        for task in tasks {
            task.await.expect("no panic")?;
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
