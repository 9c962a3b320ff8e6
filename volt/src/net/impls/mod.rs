//! Methods and foreign traits that are implemented for several kinds of sockets.

mod try_io;
mod futures_io_traits;
mod read_uninit;
#[cfg(feature = "tokio")]
mod tokio_traits;

pub use self::read_uninit::ReadUninit;
