//! The side that answers proposals.

use std::convert::TryFrom as _;
use std::future::poll_fn;
use std::io::ErrorKind;

use futures::{AsyncRead, AsyncWrite, SinkExt as _, StreamExt as _};
use smallvec::SmallVec;

use crate::protocol::{HeaderLine, Message, MessageIO, Protocol, ProtocolError};
use crate::{Negotiated, NegotiationError};

type Supported<N> = SmallVec<[(N, Protocol); 8]>;

/// Answers a peer's proposals, and gives the first that is one of these.
pub fn listener_select_proto<R, I>(inner: R, protocols: I) -> ListenerSelectFuture<R, I::Item>
where
    R: AsyncRead + AsyncWrite + Unpin,
    I: IntoIterator,
    I::Item: AsRef<str> + Clone,
{
    let supported = protocols.into_iter().filter_map(|name| {
        let protocol = Protocol::try_from(name.as_ref()).ok()?;
        Some((name, protocol))
    });
    listen(MessageIO::new(inner), supported.collect())
}

#[volt::state_machine(name = ListenerSelectFuture, explicit)]
pub async fn listen<R, N>(
    mut io: MessageIO<R>,
    supported: Supported<N>,
) -> Result<(N, Negotiated<R>), NegotiationError>
where
    R: AsyncRead + AsyncWrite + Unpin,
    N: AsRef<str> + Clone,
{
    let header: Option<Result<Message, ProtocolError>> = poll_fn(|cx| io.poll_next_unpin(cx)).await;
    match Option::ok_or(header, NegotiationError::Failed)?? {
        Message::Header(HeaderLine::V1) => {}
        _ => return Err(ProtocolError::InvalidMessage.into()),
    }
    poll_fn(|cx| io.poll_ready_unpin(cx)).await?;
    io.start_send_unpin(Message::Header(HeaderLine::V1))?;
    poll_fn(|cx| io.poll_flush_unpin(cx)).await?;
    let mut rejected: bool = false;
    loop {
        let message: Option<Result<Message, ProtocolError>> =
            poll_fn(|cx| io.poll_next_unpin(cx)).await;
        let mut chosen: Option<N> = None;
        let answer: Message = match Option::ok_or(message, NegotiationError::Failed)? {
            Ok(Message::ListProtocols) => Message::Protocols(names(&supported)),
            Ok(Message::Protocol(proposed)) => {
                chosen = find(&supported, &proposed);
                match chosen {
                    Some(_) => Message::Protocol(proposed),
                    None => Message::NotAvailable,
                }
            }
            Ok(_) => return Err(ProtocolError::InvalidMessage.into()),
            Err(error) => return Err(failure(error, rejected)),
        };
        poll_fn(|cx| io.poll_ready_unpin(cx)).await?;
        rejected = matches!(answer, Message::NotAvailable);
        io.start_send_unpin(answer)?;
        poll_fn(|cx| io.poll_flush_unpin(cx)).await?;
        if let Some(name) = chosen {
            return Ok((name, Negotiated::completed(MessageIO::into_inner(io))));
        }
    }
}

fn names<N>(supported: &Supported<N>) -> Vec<Protocol> {
    supported
        .iter()
        .map(|(_, protocol)| protocol.clone())
        .collect()
}

fn find<N: Clone>(supported: &Supported<N>, proposed: &Protocol) -> Option<N> {
    let found = supported.iter().find(|(_, protocol)| protocol == proposed);
    found.map(|(name, _)| name.clone())
}

/// A dialer that does not wait for answers has gone on with the rejected protocol. Its bytes have
/// no meaning then, and the negotiation failed without an error of either side.
fn failure(error: ProtocolError, rejected: bool) -> NegotiationError {
    let ended = |kind| kind == ErrorKind::UnexpectedEof;
    match &error {
        ProtocolError::InvalidMessage if rejected => NegotiationError::Failed,
        ProtocolError::IoError(io) if rejected && ended(io.kind()) => NegotiationError::Failed,
        _ => error.into(),
    }
}
