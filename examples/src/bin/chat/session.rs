//! One client, from its name to its end.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use volt::future::{FutureExt, race};
use volt::io::{AsyncBufReadExt, BufReader, Lines};
use volt::net::{OwnedReadHalf, OwnedWriteHalf, TcpStream};
use volt::time::{Sleep, now, sleep, timeout};

use crate::rooms::{Member, Rooms};

/// The longest line that a client may send.
const LONGEST: usize = 1024;

/// An event that a session waits for.
enum Event {
    /// The client has sent this line, or has left.
    Said(io::Result<Option<String>>),
    /// Another member has sent this message, or no other member is left.
    Heard(Option<Arc<str>>),
    /// The client has been silent for too long.
    Silent,
}

type Input = Lines<BufReader<OwnedReadHalf>>;

/// The time limits of a client.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The longest time without a line from the client.
    pub(crate) idle: Duration,
    /// The longest time that the client may take to read a message.
    pub(crate) patience: Duration,
}

/// The output to a client.
struct Output {
    write: OwnedWriteHalf,
    patience: Duration,
}

impl Output {
    async fn send(&self, line: &str) -> io::Result<()> {
        timeout(self.patience, self.write.write_all(line.as_bytes())).await?
    }
}

pub(crate) async fn session(
    stream: TcpStream,
    rooms: Arc<Rooms>,
    limits: Limits,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let (read, write) = stream.into_split();
    let output = Output {
        write,
        patience: limits.patience,
    };
    let mut lines = BufReader::new(read).lines().max_length(LONGEST);
    output.send("* your name?\n").await?;
    let Some(name) = timeout(limits.idle, lines.next_line()).await?? else {
        return Ok(());
    };
    let Some(member) = Rooms::enter(&rooms, name.trim()) else {
        return output.send("* this name is taken\n").await;
    };
    talk(&mut lines, &output, &member, limits.idle).await
}

/// Passes the lines of the client to its room, and the messages of the room to the client.
async fn talk(
    lines: &mut Input,
    output: &Output,
    member: &Member,
    idle: Duration,
) -> io::Result<()> {
    let mut silence = sleep(idle);
    loop {
        match next(lines, member, &mut silence).await {
            Event::Said(line) => {
                let Some(line) = line? else { return Ok(()) };
                silence.reset(now() + idle);
                match line.trim().split_once(' ').unwrap_or((line.trim(), "")) {
                    ("/quit", _) => return output.send("* goodbye\n").await,
                    ("/who", _) => output.send(&member.who()).await?,
                    ("/join", room) => member.join(room.trim()),
                    _ => member.say(line.trim()),
                }
            }
            Event::Heard(Some(line)) => output.send(&line).await?,
            Event::Heard(None) => return Ok(()),
            Event::Silent => return output.send("* you were silent for too long\n").await,
        }
    }
}

/// Waits for the first event. The other waits lose nothing: a partial line stays in `lines`, and a
/// message stays in its mailbox.
async fn next(lines: &mut Input, member: &Member, silence: &mut Sleep) -> Event {
    let said = lines.next_line().map(Event::Said);
    let heard = member.mailbox.next().map(Event::Heard);
    let silent = silence.map(|()| Event::Silent);
    // In this order, a client that sends much is slowed down by the messages that it has to read.
    race(heard, race(said, silent)).await
}
