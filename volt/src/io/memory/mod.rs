//! Streams in memory, which need no descriptor and no runtime.

mod duplex;
mod empty_repeat_sink;

pub use self::duplex::{DuplexStream, duplex};
pub use self::empty_repeat_sink::{Empty, Repeat, Sink, empty, repeat, sink};
