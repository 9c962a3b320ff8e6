//! The machines whose states the book shows.

use std::io;
use std::time::Duration;

use volt::machine::StateMachine;
use volt::net::TcpStream;
use volt::time::sleep;

#[volt::state_machine]
async fn blink(times: u32) -> u32 {
    for _ in 0..times {
        sleep(Duration::from_millis(5)).await;
    }
    times
}

#[volt::state_machine]
async fn turn_red(pause: Duration) -> &'static str {
    sleep(pause).await;
    sleep(pause).await;
    "red"
}

#[volt::state_machine]
async fn echo(stream: &mut TcpStream, buffer: &mut [u8]) -> io::Result<()> {
    loop {
        let count = stream.read(buffer).await?;
        if count == 0 {
            return Ok(());
        }
        stream.write_all(&buffer[..count]).await?;
    }
}

/// The name of each picture, and its graph.
pub(crate) fn all() -> Vec<(&'static str, String)> {
    // The calls keep the functions in use; none of their futures is polled.
    drop((blink(1), turn_red(Duration::ZERO)));
    let _ = echo;
    vec![
        ("blink", rows(&Blink::dot().to_string())),
        ("turn-red", rows(&TurnRed::dot().to_string())),
        ("echo", rows(&Echo::dot().to_string())),
    ]
}

/// The graph from left to right, without the lines of this file.
fn rows(dot: &str) -> String {
    let dot = dot.replacen("{\n", "{\n    rankdir=LR;\n", 1);
    let mut text = String::new();
    for line in dot.lines() {
        let end = line.find("\\nline ").map(|at| (at, line.rfind('"')));
        match end {
            Some((at, Some(quote))) => text += &format!("{}{}", &line[..at], &line[quote..]),
            _ => text += line,
        }
        text.push('\n');
    }
    text
}
