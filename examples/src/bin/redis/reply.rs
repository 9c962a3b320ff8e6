//! The replies to clients.

use std::sync::Arc;

/// An answer, which knows how it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    Simple(&'static str),
    Error(String),
    Integer(i64),
    Bulk(Arc<[u8]>),
    Nothing,
    Array(Vec<Reply>),
}

impl Reply {
    pub(crate) fn bulk(bytes: impl Into<Arc<[u8]>>) -> Self {
        Self::Bulk(bytes.into())
    }

    /// Appends it to what is to be sent.
    pub(crate) fn write(&self, output: &mut Vec<u8>) {
        match self {
            Self::Simple(text) => output.extend_from_slice(format!("+{text}\r\n").as_bytes()),
            Self::Error(text) => output.extend_from_slice(format!("-{text}\r\n").as_bytes()),
            Self::Integer(number) => output.extend_from_slice(format!(":{number}\r\n").as_bytes()),
            Self::Nothing => output.extend_from_slice(b"$-1\r\n"),
            Self::Bulk(bytes) => {
                output.extend_from_slice(format!("${}\r\n", bytes.len()).as_bytes());
                output.extend_from_slice(bytes);
                output.extend_from_slice(b"\r\n");
            }
            Self::Array(replies) => {
                output.extend_from_slice(format!("*{}\r\n", replies.len()).as_bytes());
                for reply in replies {
                    reply.write(output);
                }
            }
        }
    }
}
