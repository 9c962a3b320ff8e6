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

/// What a session waits for.
enum Event {
    /// The client has said this, or has left.
    Said(io::Result<Option<String>>),
    /// Somebody has, or there is nobody any more to say anything.
    Heard(Option<Arc<str>>),
    /// The client has been silent for too long.
    Silent,
}

type Input = Lines<BufReader<OwnedReadHalf>>;

/// How long a client may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// To say something.
    pub(crate) idle: Duration,
    /// To read what it was sent.
    pub(crate) patience: Duration,
}

/// Where a client is written to.
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

/// Passes on what the client says, and what it is told.
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

/// Waits for whatever comes first. Those that come later lose nothing: a line that has come in part
/// stays in `lines`, and a message in its mailbox.
async fn next(lines: &mut Input, member: &Member, silence: &mut Sleep) -> Event {
    let said = lines.next_line().map(Event::Said);
    let heard = member.mailbox.next().map(Event::Heard);
    let silent = silence.map(|()| Event::Silent);
    // In this order: who says much is slowed down by what it has to read.
    race(heard, race(said, silent)).await
}
