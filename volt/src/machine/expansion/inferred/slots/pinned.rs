//! `Unpin` of a machine: it may be moved after it was polled.
//!
//! A machine is `Unpin` if its futures borrow nothing from it, and all of its values are `Unpin`.

use core::marker::PhantomPinned;

/// A marker that is `Unpin` if its parameter is `true`.
#[derive(Debug)]
pub struct Pinned<const UNPIN: bool>(PhantomPinned);

impl<const UNPIN: bool> Pinned<UNPIN> {
    /// The marker.
    pub const NEW: Self = Self(PhantomPinned);
}

impl Unpin for Pinned<true> {}

/// A type that a machine may store: any type, or one that is `Unpin`.
///
/// The parameter was determined in code without regions. Each slot checks it again by this bound,
/// so a type that is `Unpin` only for some lifetimes does not compile.
pub trait Movable<const UNPIN: bool> {}

impl<T> Movable<false> for T {}
impl<T: Unpin> Movable<true> for T {}
