//! glommio: readiness and completion by three rings, a thread a core.

use std::io;
use std::net::SocketAddr;

use glommio::io::BufferedFile;
use glommio::net::{TcpListener, TcpStream};
use glommio::{LocalExecutorBuilder, Placement, spawn_local};
use smol::io::{AsyncReadExt, AsyncWriteExt};
use smol_hyper::rt::FuturesIo;

use super::Reads;
use super::http::answer;

pub(super) fn serve(address: SocketAddr, bytes: usize, threads: usize) -> io::Result<()> {
    let start = |_| {
        LocalExecutorBuilder::new(Placement::Unbound).spawn(move || async move {
            // The library listens with `SO_REUSEPORT`.
            let listener = TcpListener::bind(address)?;
            loop {
                let stream = listener.accept().await?;
                spawn_local(echo(stream, bytes)).detach();
            }
        })
    };
    let threads: Vec<_> = (0..threads).map(start).collect::<Result<_, _>>()?;
    threads.into_iter().try_for_each(|thread| thread.join()?)
}

/// glommio has no adapter for hyper 1. Its streams have the traits of `futures`, as smol's have.
pub(super) fn serve_http(address: SocketAddr, threads: usize) -> io::Result<()> {
    let start = |_| {
        LocalExecutorBuilder::new(Placement::Unbound).spawn(move || async move {
            let listener = TcpListener::bind(address)?;
            loop {
                let stream = listener.accept().await?;
                stream.set_nodelay(true)?;
                spawn_local(answer(FuturesIo::new(stream))).detach();
            }
        })
    };
    let threads: Vec<_> = (0..threads).map(start).collect::<Result<_, _>>()?;
    threads.into_iter().try_for_each(|thread| thread.join()?)
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
    let executor = LocalExecutorBuilder::new(Placement::Unbound).make()?;
    executor.run(async move {
        let tasks: Vec<_> = (0..reads.tasks)
            .map(|task| spawn_local(read_all(reads.clone(), task)))
            .collect();
        for task in tasks {
            task.await?;
        }
        Ok(())
    })
}

async fn read_all(reads: Reads, task: usize) -> io::Result<()> {
    let file = BufferedFile::open(&reads.path).await?;
    for offset in reads.offsets(task) {
        let read = file.read_at(offset, reads.bytes).await?;
        assert_eq!(read.len(), reads.bytes, "the file ended");
    }
    file.close().await?;
    Ok(())
}
