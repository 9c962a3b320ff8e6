//! Combinators of one future.

mod end;
mod lazy;
mod stage;
mod map;
mod sequence;
mod then;
mod and_then;
mod or_else;
mod inspect;
mod fuse;
#[cfg(feature = "std")]
mod catch_unwind;
mod compose;

pub use self::and_then::AndThen;
#[cfg(feature = "std")]
pub use self::catch_unwind::CatchUnwind;
#[cfg(feature = "alloc")]
pub use self::compose::{BoxFuture, LocalBoxFuture};
pub use self::compose::{Compose, compose};
pub use self::fuse::Fuse;
pub use self::inspect::Inspect;
pub use self::lazy::{Lazy, lazy};
pub use self::map::{Map, MapErr, MapOk};
pub use self::or_else::OrElse;
pub use self::then::Then;
