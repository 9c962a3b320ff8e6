//! monoio: completion by io_uring, a thread a core.

use std::io;
use std::net::SocketAddr;

use monoio::buf::IoBufMut;
use monoio::fs::File;
use monoio::io::{AsyncReadRent, AsyncWriteRentExt, IntoPollIo};
use monoio::net::{TcpListener, TcpStream};
use monoio::{IoUringDriver, RuntimeBuilder};
use monoio_compat::hyper::MonoioIo;

use super::http::answer;
use super::{Reads, open, thread_per_core};

pub(super) fn serve(address: SocketAddr, bytes: usize, threads: usize) -> io::Result<()> {
    thread_per_core(address, threads, move |listener| {
        listener.set_nonblocking(true)?;
        block_on(async move {
            let listener = TcpListener::from_std(listener)?;
            loop {
                let (stream, _) = listener.accept().await?;
                monoio::spawn(echo(stream, bytes));
            }
        })
    })
}

/// The adapter waits for readiness, because hyper keeps its buffers.
pub(super) fn serve_http(address: SocketAddr, threads: usize) -> io::Result<()> {
    thread_per_core(address, threads, |listener| {
        listener.set_nonblocking(true)?;
        block_on(async move {
            let listener = TcpListener::from_std(listener)?;
            loop {
                let (stream, _) = listener.accept().await?;
                stream.set_nodelay(true)?;
                let io = MonoioIo::new(stream.into_poll_io()?);
                monoio::spawn(answer(io));
            }
        })
    })
}

fn block_on<F>(future: F) -> io::Result<()>
where
    F: Future<Output = io::Result<()>>,
{
    RuntimeBuilder::<IoUringDriver>::new()
        .with_entries(1024)
        .build()?
        .block_on(future)
}

async fn echo(mut stream: TcpStream, bytes: usize) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer = Vec::with_capacity(bytes);
    loop {
        let (count, read) = stream.read(buffer).await;
        if count? == 0 {
            return Ok(());
        }
        let (written, all) = stream.write_all(read).await;
        written?;
        buffer = all;
    }
}

pub(super) fn read(reads: Reads) -> io::Result<()> {
    block_on(async move {
        let tasks: Vec<_> = (0..reads.tasks)
            .map(|task| monoio::spawn(read_all(reads.clone(), task)))
            .collect();
        for task in tasks {
            task.await?;
        }
        Ok(())
    })
}

async fn read_all(reads: Reads, task: usize) -> io::Result<()> {
    let file = File::from_std(open(&reads.path)?)?;
    let mut buffer = vec![0; reads.bytes].slice_mut(0..reads.bytes);
    for offset in reads.offsets(task) {
        let (result, read) = file.read_exact_at(buffer, offset).await;
        result?;
        buffer = read;
    }
    Ok(())
}
