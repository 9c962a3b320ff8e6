//! Reading: the methods of every reader, and their futures.

mod read_once;
mod read_all;
mod read_number;
mod take;
mod chain;
mod read_ext;

pub use self::chain::Chain;
pub use self::read_all::{ReadExact, ReadToEnd, ReadToString};
pub use self::read_ext::AsyncReadExt;
pub use self::read_number::ReadNumber;
pub use self::read_once::{Read, ReadBuf, ReadVectored};
pub use self::take::Take;
