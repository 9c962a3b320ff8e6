//! What machines keep of the calls of sockets: the futures without what they are lent.

use super::connecting::Connect;
use super::datagram::{RecvCall, RecvFromCall, SendConnectedCall, SendToCall};
use super::listener::{AcceptCall, TcpListener};
use super::owned_halves::{OwnedReadHalf, OwnedWriteHalf};
use super::read::{PeekCall, ReadCall, ReadExactCall};
use super::split::{ReadHalf, WriteHalf};
use super::stream::TcpStream;
use super::transport::Transport;
use super::udp::UdpSocket;
#[cfg(unix)]
use super::unix::{UnixAcceptCall, UnixConnect, UnixDatagram, UnixListener, UnixStream};
use super::write::{WriteAllCall, WriteCall};
use crate::io::{ReadableCall, WritableCall};
use crate::machine::{Leaf, leaves};

leaves! {
    [] TcpListener {
        "accept" => Leaf<AcceptCall>,
    }
    [] TcpStream {
        "connect" => Connect,
        "read" => Leaf<ReadCall<Self>>,
        "read_exact" => Leaf<ReadExactCall<Self>>,
        "peek" => Leaf<PeekCall>,
        "write" => Leaf<WriteCall<Self>>,
        "write_all" => Leaf<WriteAllCall<Self>>,
        "readable" => Leaf<ReadableCall<Self>>,
        "writable" => Leaf<WritableCall<Self>>,
    }
    ['s, S: Transport] ReadHalf<'s, S> {
        "read" => Leaf<ReadCall<Self>>,
        "read_exact" => Leaf<ReadExactCall<Self>>,
    }
    ['s, S: Transport] WriteHalf<'s, S> {
        "write" => Leaf<WriteCall<Self>>,
        "write_all" => Leaf<WriteAllCall<Self>>,
    }
    [S: Transport] OwnedReadHalf<S> {
        "read" => Leaf<ReadCall<Self>>,
        "read_exact" => Leaf<ReadExactCall<Self>>,
    }
    [S: Transport] OwnedWriteHalf<S> {
        "write" => Leaf<WriteCall<Self>>,
        "write_all" => Leaf<WriteAllCall<Self>>,
    }
    [] UdpSocket {
        "recv" => Leaf<RecvCall<Self>>,
        "recv_from" => Leaf<RecvFromCall<Self>>,
        "send" => Leaf<SendConnectedCall<Self>>,
        "send_to" => Leaf<SendToCall<Self, std::net::SocketAddr>>,
        "readable" => Leaf<ReadableCall<Self>>,
        "writable" => Leaf<WritableCall<Self>>,
    }
}

#[cfg(unix)]
leaves! {
    [] UnixListener {
        "accept" => Leaf<UnixAcceptCall>,
    }
    [] UnixStream {
        "connect" => UnixConnect,
        "read" => Leaf<ReadCall<Self>>,
        "read_exact" => Leaf<ReadExactCall<Self>>,
        "write" => Leaf<WriteCall<Self>>,
        "write_all" => Leaf<WriteAllCall<Self>>,
        "readable" => Leaf<ReadableCall<Self>>,
        "writable" => Leaf<WritableCall<Self>>,
    }
    [] UnixDatagram {
        "recv" => Leaf<RecvCall<Self>>,
        "recv_from" => Leaf<RecvFromCall<Self>>,
        "send" => Leaf<SendConnectedCall<Self>>,
        "send_to" => Leaf<SendToCall<Self, std::path::PathBuf>>,
    }
}
