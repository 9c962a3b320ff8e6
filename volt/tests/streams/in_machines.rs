//! Buffered streams in machines with an explicit layout.

use std::io;

use volt::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, BufWriter, Lines};
use volt::machine::StateMachine;
use volt::net::{OwnedReadHalf, OwnedWriteHalf, TcpStream};

use super::slow::{pair, run};

/// Answers each line in capitals, and returns the number of lines.
#[volt::state_machine(explicit)]
async fn shout(
    mut lines: Lines<BufReader<OwnedReadHalf>>,
    write: OwnedWriteHalf,
) -> io::Result<u32> {
    let mut writer: BufWriter<OwnedWriteHalf> = BufWriter::new(write);
    let mut count: u32 = 0;
    loop {
        let next: Option<String> = lines.next_line().await?;
        let Some(line) = next else { break };
        let loud: String = line.to_uppercase();
        writer.write_all(loud.as_bytes()).await?;
        writer.write_all(b"\n").await?;
        writer.flush().await?;
        count += 1;
    }
    writer.close().await?;
    Ok(count)
}

/// Reads a length, as many bytes, a line and the rest of the stream.
#[volt::state_machine(explicit)]
async fn frame(stream: TcpStream) -> io::Result<(Vec<u8>, String, Vec<u8>)> {
    let mut reader: BufReader<TcpStream> = BufReader::new(stream);
    let len: u16 = reader.read_u16().await?;
    let mut body: Vec<u8> = vec![0u8; usize::from(len)];
    reader.read_exact(&mut body).await?;
    let mut line: String = String::new();
    reader.read_line(&mut line).await?;
    let mut rest: Vec<u8> = Vec::new();
    reader.read_to_end(&mut rest).await?;
    Ok((body, line, rest))
}

#[test]
fn machine_answers_lines() {
    run(async {
        let (mut near, far) = pair().await;
        let (read, write) = far.into_split();
        let shouting = volt::spawn(shout(BufReader::new(read).lines(), write));
        near.write_all("one\ntwo\nfünf\n".as_bytes())
            .await
            .expect("sent");
        let mut answer = [0; 14];
        near.read_exact(&mut answer).await.expect("answered");
        assert_eq!(std::str::from_utf8(&answer), Ok("ONE\nTWO\nFÜNF\n"));
        near.close().await.expect("closed");
        assert_eq!(shouting.await.expect("no panic").ok(), Some(3));
        assert!(Shout::STATES.len() > 4);
    });
}

#[test]
fn machine_reads_a_frame() {
    run(async {
        let (mut near, far) = pair().await;
        let reading = volt::spawn(frame(far));
        near.write_u16(5).await.expect("sent");
        near.write_all(b"helloline\nrest").await.expect("sent");
        near.close().await.expect("closed");
        let (body, line, rest) = reading.await.expect("no panic").expect("read");
        assert_eq!(
            (&body[..], &line[..], &rest[..]),
            (&b"hello"[..], "line\n", &b"rest"[..])
        );
    });
}
