//! Futures and halves of connections, TCP and Unix alike.

mod read_futures;
mod write_futures;
mod connection_trees;
mod borrowed_halves;
mod owned_halves;

pub(in crate::net) use self::borrowed_halves::split;
pub use self::borrowed_halves::{ReadHalf, WriteHalf};
pub(in crate::net) use self::owned_halves::into_split;
pub use self::owned_halves::{OwnedReadHalf, OwnedWriteHalf, ReuniteError};
pub use self::read_futures::{Peek, Read, ReadExact, ReadVectored};
pub use self::write_futures::{Write, WriteAll, WriteVectored};
