//! Combinators of one future.

mod named;
mod end;
mod lazy;
mod stage;
mod map;
mod in_sequence;
mod then;
mod and_then;
mod or_else;
mod inspect;
mod fuse;
#[cfg(feature = "std")]
mod catch_unwind;

pub use self::and_then::AndThen;
#[cfg(feature = "std")]
pub use self::catch_unwind::CatchUnwind;
pub use self::fuse::Fuse;
pub use self::inspect::Inspect;
pub use self::lazy::{Lazy, lazy};
pub use self::map::{Map, MapErr, MapOk};
pub use self::named::{Pending, Ready, pending, ready};
pub use self::or_else::OrElse;
pub use self::then::Then;
