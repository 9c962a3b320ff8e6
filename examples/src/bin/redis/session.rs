//! One client, from its first request to its end.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;

use volt::future::{FutureExt, race};
use volt::io::AsyncReadExt;
use volt::net::TcpStream;

use crate::channels::{Channels, Inbox};
use crate::command::execute;
use crate::reply::Reply;
use crate::request;
use crate::store::Store;

/// How much is read at once, at the least.
const CHUNK: usize = 16 << 10;

/// The state that all clients share.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    pub(crate) store: Store,
    pub(crate) channels: Channels,
}

/// The state of a client.
#[derive(Debug)]
pub(crate) struct Client {
    pub(crate) shared: Arc<Shared>,
    pub(crate) leaves: bool,
    subscribed: HashSet<Vec<u8>>,
    inbox: Arc<Inbox>,
}

impl Client {
    fn new(shared: Arc<Shared>) -> Self {
        Self {
            shared,
            leaves: false,
            subscribed: HashSet::new(),
            inbox: Arc::default(),
        }
    }

    pub(crate) fn subscribe(&mut self, channel: &[u8]) -> Reply {
        if self.subscribed.insert(channel.to_vec()) {
            self.shared.channels.enter(channel, &self.inbox);
        }
        self.subscription("subscribe", Reply::bulk(channel))
    }

    /// Of all channels, where none is named.
    pub(crate) fn unsubscribe(&mut self, channels: &[&[u8]]) -> Vec<Reply> {
        let mut left: Vec<Vec<u8>> = channels.iter().map(|channel| channel.to_vec()).collect();
        if left.is_empty() {
            left = self.subscribed.iter().cloned().collect();
            left.sort();
        }
        if left.is_empty() {
            return vec![self.subscription("unsubscribe", Reply::Nothing)];
        }
        let replies = left.iter().map(|channel| {
            if self.subscribed.remove(channel) {
                self.shared.channels.leave(channel, &self.inbox);
            }
            self.subscription("unsubscribe", Reply::bulk(&channel[..]))
        });
        replies.collect()
    }

    fn subscription(&self, kind: &str, channel: Reply) -> Reply {
        let count = Reply::Integer(self.subscribed.len() as i64);
        Reply::Array(vec![Reply::bulk(kind.as_bytes()), channel, count])
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        for channel in &self.subscribed {
            self.shared.channels.leave(channel, &self.inbox);
        }
    }
}

enum Event {
    /// So many bytes have come; none at the end.
    Came(io::Result<usize>),
    /// A message was published, or `None` if this client was too slow to read it.
    Heard(Option<Arc<[u8]>>),
}

/// Answers a client until it leaves. Requests that come together are answered together.
pub(crate) async fn session(mut stream: TcpStream, shared: Arc<Shared>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut client = Client::new(shared);
    let inbox = Arc::clone(&client.inbox);
    let mut input = Vec::with_capacity(CHUNK);
    let mut output = Vec::new();
    loop {
        // Neither loses anything if the other is first: what was read is in `input`.
        let came = stream.read_buf(&mut input).map(Event::Came);
        match race(inbox.next().map(Event::Heard), came).await {
            Event::Came(count) => {
                if count? == 0 {
                    return Ok(());
                }
                answer_all(&mut client, &mut input, &mut output);
            }
            Event::Heard(Some(message)) => output.extend_from_slice(&message),
            Event::Heard(None) => return Ok(()),
        }
        stream.write_all(&output).await?;
        output.clear();
        if client.leaves {
            return Ok(());
        }
        input.reserve(CHUNK);
    }
}

fn answer_all(client: &mut Client, input: &mut Vec<u8>, output: &mut Vec<u8>) {
    while !client.leaves {
        match request::take(input) {
            Ok(Some(request)) => execute(client, &request, output),
            Ok(None) => return,
            Err(malformed) => {
                client.leaves = true;
                Reply::Error(malformed.to_string()).write(output);
            }
        }
    }
}
