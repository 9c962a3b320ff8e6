//! volt: readiness by epoll; files by blocking threads.

use std::io::{self, SeekFrom};
use std::net::SocketAddr;

use volt::fs::File;
use volt::io::{AsyncReadExt, AsyncSeekExt};
use volt::net::{TcpListener, TcpStream};

use super::Reads;
use super::http::answer;

pub(super) fn serve(address: SocketAddr, bytes: usize, threads: usize) -> io::Result<()> {
    let runtime = volt::Builder::new().worker_threads(threads).build()?;
    runtime.block_on(async move {
        let listener = TcpListener::bind(address)?;
        let accept = volt::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await?;
                volt::spawn(echo(stream, bytes)).detach();
            }
        });
        accept.await.expect("no panic")
    })
}

pub(super) fn serve_http(address: SocketAddr, threads: usize) -> io::Result<()> {
    let runtime = volt::Builder::new().worker_threads(threads).build()?;
    runtime.block_on(async move {
        let listener = TcpListener::bind(address)?;
        let accept = volt::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await?;
                stream.set_nodelay(true)?;
                volt::spawn(answer(volt_hyper::Io::new(stream))).detach();
            }
        });
        accept.await.expect("no panic")
    })
}

async fn echo(stream: TcpStream, bytes: usize) -> io::Result<()> {
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
    let runtime = volt::Builder::new().worker_threads(1).build()?;
    runtime.block_on(async move {
        let tasks: Vec<_> = (0..reads.tasks)
            .map(|task| volt::spawn(read_all(reads.clone(), task)))
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
