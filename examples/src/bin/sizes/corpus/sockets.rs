//! Reading and writing: sockets polled in place, borrowed buffers.

use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use volt::time::sleep;

use crate::wire::{Listener, Socket, connect};

subject! {
    async fn read_exact(stream: &Socket, buffer: &mut [u8]) -> io::Result<()> {
        let mut filled: usize = 0;
        while filled < buffer.len() {
            let count: usize = poll_fn(|cx| stream.poll_read(cx, &mut buffer[filled..])).await?;
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            filled += count;
        }
        Ok(())
    }
}

subject! {
    async fn write_all(stream: &Socket, bytes: &[u8]) -> io::Result<()> {
        let mut written: usize = 0;
        while written < bytes.len() {
            let count: usize = poll_fn(|cx| stream.poll_write(cx, &bytes[written..])).await?;
            written += count;
        }
        Ok(())
    }
}

subject! {
    async fn read_frame(stream: &Socket) -> io::Result<Vec<u8>> {
        let mut head: [u8; 4] = [0; 4];
        read_exact(stream, &mut head).await?;
        let mut body: Vec<u8> = vec![0; u32::from_be_bytes(head) as usize];
        read_exact(stream, &mut body).await?;
        Ok(body)
    }
}

subject! {
    async fn write_frame(stream: &Socket, body: &[u8]) -> io::Result<()> {
        let head: [u8; 4] = (body.len() as u32).to_be_bytes();
        write_all(stream, &head).await?;
        write_all(stream, body).await
    }
}

subject! {
    async fn echo(stream: Socket) -> io::Result<u64> {
        let mut buffer: [u8; 1024] = [0; 1024];
        let mut total: u64 = 0;
        loop {
            let count: usize = poll_fn(|cx| stream.poll_read(cx, &mut buffer)).await?;
            if count == 0 {
                return Ok(total);
            }
            write_all(&stream, &buffer[..count]).await?;
            total += count as u64;
        }
    }
}

subject! {
    async fn ask(address: SocketAddr, question: Vec<u8>) -> io::Result<Vec<u8>> {
        let stream: Socket = connect(address).await?;
        write_frame(&stream, &question).await?;
        drop(question);
        read_frame(&stream).await
    }
}

subject! {
    async fn connect_with_patience(address: SocketAddr, tries: u32) -> io::Result<Socket> {
        let mut left: u32 = tries;
        loop {
            match connect(address).await {
                Ok(stream) => return Ok(stream),
                Err(error) if left == 0 => return Err(error),
                Err(error) => drop(error),
            }
            left -= 1;
            sleep(Duration::from_millis(10)).await;
        }
    }
}

subject! {
    async fn greet_all(listener: &Listener, greeting: &[u8]) -> io::Result<()> {
        loop {
            let caller: (Socket, SocketAddr) = poll_fn(|cx| listener.poll_accept(cx)).await?;
            let stream: Socket = {caller}.0;
            write_all(&stream, greeting).await?;
        }
    }
}

subject! {
    async fn pump(from: &Socket, to: &Socket) -> io::Result<u64> {
        let mut buffer: [u8; 2048] = [0; 2048];
        let mut total: u64 = 0;
        loop {
            let count: usize = poll_fn(|cx| from.poll_read(cx, &mut buffer)).await?;
            if count == 0 {
                return Ok(total);
            }
            let mut written: usize = 0;
            while written < count {
                let more: usize = poll_fn(|cx| to.poll_write(cx, &buffer[written..count])).await?;
                written += more;
            }
            total += count as u64;
        }
    }
}

measure![
    read_exact(_, _),
    write_all(_, _),
    read_frame(_),
    write_frame(_, _),
    echo(_),
    ask(_, _),
    connect_with_patience(_, _),
    greet_all(_, _),
    pump(_, _),
];
