//! The side that proposes protocols, one after the other, until one is accepted.

use std::convert::TryFrom as _;
use std::future::poll_fn;
use std::iter::Peekable;

use futures::{AsyncRead, AsyncWrite, SinkExt as _, StreamExt as _};

use crate::protocol::{HeaderLine, Message, MessageIO, Protocol, ProtocolError};
use crate::{Negotiated, NegotiationError, Version};

/// Proposes protocols over a connection, and gives the one that the peer accepts.
pub fn dialer_select_proto<R, I>(
    inner: R,
    protocols: I,
    version: Version,
) -> DialerSelectFuture<R, I::IntoIter>
where
    R: AsyncRead + AsyncWrite + Unpin,
    I: IntoIterator,
    I::Item: AsRef<str>,
{
    dial(
        MessageIO::new(inner),
        protocols.into_iter().peekable(),
        version,
    )
}

#[volt::state_machine(name = DialerSelectFuture, explicit)]
pub async fn dial<R, I>(
    mut io: MessageIO<R>,
    mut protocols: Peekable<I>,
    version: Version,
) -> Result<(I::Item, Negotiated<R>), NegotiationError>
where
    R: AsyncRead + AsyncWrite + Unpin,
    I: Iterator,
    I::Item: AsRef<str>,
{
    poll_fn(|cx| io.poll_ready_unpin(cx)).await?;
    io.start_send_unpin(Message::Header(HeaderLine::from(version)))?;
    loop {
        let protocol: I::Item = protocols.next().ok_or(NegotiationError::Failed)?;
        poll_fn(|cx| io.poll_ready_unpin(cx)).await?;
        {
            let proposed = Protocol::try_from(protocol.as_ref())?;
            io.start_send_unpin(Message::Protocol(proposed.clone()))?;
            // A lazy version does not wait for the answer to its last proposal.
            if protocols.peek().is_none() && matches!(version, Version::V1Lazy) {
                let header = Some(HeaderLine::from(Version::V1Lazy));
                let io = Negotiated::expecting(MessageIO::into_reader(io), proposed, header);
                return Ok((protocol, io));
            }
        }
        poll_fn(|cx| io.poll_flush_unpin(cx)).await?;
        let accepted: bool = loop {
            let message: Option<Result<Message, ProtocolError>> =
                poll_fn(|cx| io.poll_next_unpin(cx)).await;
            let message: Message = message.ok_or(NegotiationError::Failed)??;
            match message {
                Message::Header(header) if header == HeaderLine::from(version) => {}
                Message::Protocol(ref p) if p.as_ref() == protocol.as_ref() => break true,
                Message::NotAvailable => break false,
                _ => return Err(ProtocolError::InvalidMessage.into()),
            }
        };
        if accepted {
            return Ok((protocol, Negotiated::completed(MessageIO::into_inner(io))));
        }
    }
}
