//! compio: completion by io_uring, a thread a core.

use std::io;
use std::net::SocketAddr;

use compio::BufResult;
use compio::fs::File;
use compio::io::{AsyncRead, AsyncReadAtExt, AsyncWriteExt};
use compio::net::{TcpListener, TcpStream};
use compio::runtime::{Runtime, spawn};
use cyper_core::HyperStream;

use super::http::answer;
use super::{Reads, thread_per_core};

pub(super) fn serve(address: SocketAddr, bytes: usize, threads: usize) -> io::Result<()> {
    thread_per_core(address, threads, move |listener| {
        Runtime::new()?.block_on(async move {
            let listener = TcpListener::from_std(listener)?;
            loop {
                let (stream, _) = listener.accept().await?;
                spawn(echo(stream, bytes)).detach();
            }
        })
    })
}

/// The adapter has buffers of its own, because hyper keeps its buffers.
pub(super) fn serve_http(address: SocketAddr, threads: usize) -> io::Result<()> {
    thread_per_core(address, threads, |listener| {
        Runtime::new()?.block_on(async move {
            let listener = TcpListener::from_std(listener)?;
            loop {
                let (stream, _) = listener.accept().await?;
                spawn(answer(HyperStream::new_plain(stream))).detach();
            }
        })
    })
}

async fn echo(mut stream: TcpStream, bytes: usize) -> io::Result<()> {
    let mut buffer = Vec::with_capacity(bytes);
    loop {
        buffer.clear();
        let BufResult(count, read) = stream.read(buffer).await;
        if count? == 0 {
            return Ok(());
        }
        let BufResult(written, all) = stream.write_all(read).await;
        written?;
        buffer = all;
    }
}

pub(super) fn read(reads: Reads) -> io::Result<()> {
    Runtime::new()?.block_on(async move {
        let tasks: Vec<_> = (0..reads.tasks)
            .map(|task| spawn(read_all(reads.clone(), task)))
            .collect();
        for task in tasks {
            task.await.expect("no panic")?;
        }
        Ok(())
    })
}

async fn read_all(reads: Reads, task: usize) -> io::Result<()> {
    let file = File::open(&reads.path).await?;
    let mut buffer = Vec::with_capacity(reads.bytes);
    for offset in reads.offsets(task) {
        buffer.clear();
        let BufResult(result, read) = file.read_exact_at(buffer, offset).await;
        result?;
        buffer = read;
    }
    Ok(())
}
