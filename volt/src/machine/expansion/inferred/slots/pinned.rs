//! Whether a machine may be moved after it was polled.
//!
//! One whose futures borrow nothing of it, and all of whose values are `Unpin`, is `Unpin` itself.

use core::marker::PhantomPinned;

/// A marker that is `Unpin` where its number says so.
#[derive(Debug)]
pub struct Pinned<const UNPIN: bool>(PhantomPinned);

impl<const UNPIN: bool> Pinned<UNPIN> {
    /// The marker.
    pub const NEW: Self = Self(PhantomPinned);
}

impl Unpin for Pinned<true> {}

/// What a machine may store that is `Unpin`, or not.
///
/// The number was asked of code that knows no regions. Each slot asks again, by this bound: so what is
/// `Unpin` for some lifetimes only does not compile.
pub trait Movable<const UNPIN: bool> {}

impl<T> Movable<false> for T {}
impl<T: Unpin> Movable<true> for T {}
