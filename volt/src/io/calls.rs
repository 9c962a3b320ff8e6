//! What machines keep of the calls of buffered readers and writers.

use futures_io::{AsyncRead, AsyncWrite};

use super::buffered::{
    BufReader, BufWriter, Lines, NextLineCall, NextSegmentCall, ReadLineCall, Split,
};
use super::number::{BigEndian, LittleEndian};
use super::reading::{ReadCall, ReadExactCall, ReadNumberCall, ReadToEndCall, ReadToStringCall};
use super::writing::{CloseCall, FlushCall, WriteAllCall, WriteCall};
use crate::machine::{Leaf, leaves};

leaves! {
    [R: AsyncRead + Unpin] BufReader<R> {
        "read" => Leaf<ReadCall<Self>>,
        "read_exact" => Leaf<ReadExactCall<Self>>,
        "read_to_end" => Leaf<ReadToEndCall<Self>>,
        "read_to_string" => Leaf<ReadToStringCall<Self>>,
        "read_line" => Leaf<ReadLineCall<Self>>,
        "read_u8" => Leaf<ReadNumberCall<Self, u8, BigEndian>>,
        "read_u16" => Leaf<ReadNumberCall<Self, u16, BigEndian>>,
        "read_u32" => Leaf<ReadNumberCall<Self, u32, BigEndian>>,
        "read_u64" => Leaf<ReadNumberCall<Self, u64, BigEndian>>,
        "read_u16_le" => Leaf<ReadNumberCall<Self, u16, LittleEndian>>,
        "read_u32_le" => Leaf<ReadNumberCall<Self, u32, LittleEndian>>,
        "read_u64_le" => Leaf<ReadNumberCall<Self, u64, LittleEndian>>,
        "write" => Leaf<WriteCall<Self>>,
        "write_all" => Leaf<WriteAllCall<Self>>,
        "flush" => Leaf<FlushCall<Self>>,
        "close" => Leaf<CloseCall<Self>>,
    }
    [W: AsyncWrite + Unpin] BufWriter<W> {
        "write" => Leaf<WriteCall<Self>>,
        "write_all" => Leaf<WriteAllCall<Self>>,
        "flush" => Leaf<FlushCall<Self>>,
        "close" => Leaf<CloseCall<Self>>,
    }
    [R] Lines<R> {
        "next_line" => Leaf<NextLineCall<R>>,
    }
    [R] Split<R> {
        "next_segment" => Leaf<NextSegmentCall<R>>,
    }
}
