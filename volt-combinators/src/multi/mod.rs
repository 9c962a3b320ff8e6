//! Combinators of several futures.

mod combinator;
#[cfg(feature = "alloc")]
mod errors;
mod join;
mod try_join;
#[cfg(feature = "alloc")]
mod settle;
#[cfg(feature = "alloc")]
mod partition;
mod race;
#[cfg(feature = "alloc")]
mod race_ok;
mod select;
mod futures_ext;

#[cfg(feature = "alloc")]
pub use self::errors::Errors;
pub use self::futures_ext::FuturesExt;
#[cfg(feature = "alloc")]
pub use self::join::join_all;
pub use self::join::{Join, join};
#[cfg(feature = "alloc")]
pub use self::partition::{Partition, partition_all};
#[cfg(feature = "alloc")]
pub use self::race::race_all;
pub use self::race::{Race, race};
#[cfg(feature = "alloc")]
pub use self::race_ok::{RaceOk, race_ok_all};
#[cfg(feature = "alloc")]
pub use self::select::select_all;
pub use self::select::{Next, Select, select};
#[cfg(feature = "alloc")]
pub use self::settle::{Settle, settle_all};
#[cfg(feature = "alloc")]
pub use self::try_join::try_join_all;
pub use self::try_join::{TryJoin, try_join};
