//! What stays in a state only to be dropped at its proper time.
//!
//! A local that is never used again still lives to the end of its scope if dropping it does
//! something. Whether it does is a question to the type, answered at compile time: [`Held`]
//! keeps a value whose type has drop glue and takes no space otherwise.

use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::mem::needs_drop;

use super::maybe::Maybe;

/// A `T` that is kept if `DROPS`, and nothing otherwise.
pub struct Held<T, const DROPS: bool>
where
    Keep<DROPS>: Hold<T>,
{
    value: <Keep<DROPS> as Hold<T>>::Stored,
}

impl<T, const DROPS: bool> Held<T, DROPS>
where
    Keep<DROPS>: Hold<T>,
{
    /// Takes `value` to its end.
    #[inline]
    pub fn new(value: T) -> Self {
        Self {
            value: <Keep<DROPS> as Hold<T>>::store(value),
        }
    }

    /// Takes a local to its end, or to where it gets a new value.
    ///
    /// # Panics
    ///
    /// Panics if it has a destructor and is gone, which the compiler rules out in the native twin.
    #[inline]
    #[track_caller]
    pub fn put_away(local: Maybe<T>) -> Self {
        Self {
            value: <Keep<DROPS> as Hold<T>>::put_away(local),
        }
    }

    /// The local again, to be given a new value: it has the old one if that has to be dropped.
    #[inline]
    #[must_use = "the value would be dropped early"]
    pub fn take_up(self) -> Maybe<T> {
        <Keep<DROPS> as Hold<T>>::take_up(self.value)
    }
}

impl<T, const DROPS: bool> Clone for Held<T, DROPS>
where
    Keep<DROPS>: Hold<T, Stored: Clone>,
{
    fn clone(&self) -> Self {
        Self {
            value: self.value.clone(),
        }
    }
}

impl<T, const DROPS: bool> PartialEq for Held<T, DROPS>
where
    Keep<DROPS>: Hold<T, Stored: PartialEq>,
{
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T, const DROPS: bool> Eq for Held<T, DROPS> where Keep<DROPS>: Hold<T, Stored: Eq> {}

impl<T, const DROPS: bool> Hash for Held<T, DROPS>
where
    Keep<DROPS>: Hold<T, Stored: Hash>,
{
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.value.hash(hasher);
    }
}

impl<T, const DROPS: bool> fmt::Debug for Held<T, DROPS>
where
    Keep<DROPS>: Hold<T>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let _ = &self.value;
        f.write_str("Held")
    }
}

/// The choice that [`Held`] makes.
#[derive(Debug)]
pub struct Keep<const DROPS: bool>;

/// How a `T` is stored under a choice.
pub trait Hold<T> {
    /// What is stored.
    type Stored;

    /// Stores `value`.
    fn store(value: T) -> Self::Stored;

    /// Stores what a local has.
    fn put_away(local: Maybe<T>) -> Self::Stored;

    /// What was stored, as a local.
    fn take_up(stored: Self::Stored) -> Maybe<T>;
}

impl<T> Hold<T> for Keep<true> {
    type Stored = T;

    #[inline]
    fn store(value: T) -> T {
        value
    }

    #[inline]
    #[track_caller]
    fn put_away(mut local: Maybe<T>) -> T {
        local.take()
    }

    #[inline]
    fn take_up(stored: T) -> Maybe<T> {
        Maybe::some(stored)
    }
}

impl<T> Hold<T> for Keep<false> {
    type Stored = PhantomData<T>;

    #[inline]
    fn store(_: T) -> PhantomData<T> {
        PhantomData
    }

    #[inline]
    fn put_away(_: Maybe<T>) -> PhantomData<T> {
        PhantomData
    }

    #[inline]
    fn take_up(_: PhantomData<T>) -> Maybe<T> {
        Maybe::none()
    }
}

/// What a local with a destructor is told that is not kept.
const NOT_KEPT: &str = "this local (the note below points at it) has a destructor that would run \
                        before the await instead of at the end of its scope, because its type is \
                        not written or a pattern takes it apart on some paths only: write its type \
                        in a `let`, as in `let error: Error = error;`, or move it away by name \
                        before the await";

/// What a local with a destructor is told that is to stay in its place.
const NOT_IN_PLACE: &str = "this local (the note below points at it) has a destructor, so it cannot \
                            stay in its place: remove `#[in_place]`, or box what is large in it";

/// What a matched value with a destructor is told of which an arm takes only parts.
pub(super) const NOT_TAKEN: &str = "part of the matched value stays behind, alive across an await in the arm \
                         (the note below points at its pattern), and has a destructor: bind the \
                         value to a `let` with a written type first";

/// Proves at compile time that forgetting the local early goes unnoticed.
///
/// The proof can only be asked for once the type is known, in code that is generated for it. So
/// the failure shows two places: here, where it is found, and, in the note on what was being
/// instantiated, the call, which has the span of the local.
#[inline]
pub const fn no_drop_glue<T: ?Sized>(_: &T) {
    const { assert!(!needs_drop::<T>(), "{}", NOT_KEPT) }
}

/// Proves at compile time that a local that is to stay in its place has no destructor.
#[inline]
pub const fn no_destructor<T>() {
    const { assert!(!needs_drop::<T>(), "{}", NOT_IN_PLACE) }
}

/// Proves at compile time that the rest of a matched value has no destructor to delay.
///
/// The call has the span of the pattern that leaves something behind.
#[inline]
pub const fn no_residue<T>(value: T) -> T {
    const { assert!(!needs_drop::<T>(), "{}", NOT_TAKEN) }
    value
}

/// The same of a value that is looked at.
#[inline]
pub const fn no_residue_of<T>(_: &T) {
    const { assert!(!needs_drop::<T>(), "{}", NOT_TAKEN) }
}

/// What is told of a field with a destructor that is not taken from what stands behind `..`.
const NOT_REPLACED: &str = "a field that is written here stays in the local behind `..` (the note \
                            below points at it), and has a destructor that would run before the \
                            await instead of at the end of the local's scope: write `..{ base }`, \
                            which drops it at once";

/// Proves at compile time that a field which `..` does not take has no destructor.
#[inline]
pub const fn no_rest<T: ?Sized>(_: &T) {
    const { assert!(!needs_drop::<T>(), "{}", NOT_REPLACED) }
}

/// What a temporary with a destructor is told that a `let` keeps alive.
const NOT_NAMED: &str = "the value that this `let` borrows (the note below points at it) lives to the \
                         end of the block, across an await, and has a destructor: bind it to a \
                         `let` with a written type first";

/// Proves at compile time that a value without a name may be let go of at an await.
///
/// The call has the span of the value.
#[inline]
pub const fn no_temporary<T>(value: T) -> T {
    const { assert!(!needs_drop::<T>(), "{}", NOT_NAMED) }
    value
}

/// The same of a value that is to be promoted to a constant, and so must not be moved.
#[inline]
pub const fn no_temporary_behind<T>(_: &T) {
    const { assert!(!needs_drop::<T>(), "{}", NOT_NAMED) }
}

/// What a constant with a destructor is told that stands before an await.
const NOT_EARLY: &str = "this constant (the note below points at it) is made before an await in the \
                         same expression, and has a destructor: bind it to a `let` with a written \
                         type first";

/// Proves at compile time that nobody can tell when a constant is made.
///
/// The call has the span of the constant.
#[inline]
pub const fn no_operand<T>(value: T) -> T {
    const { assert!(!needs_drop::<T>(), "{}", NOT_EARLY) }
    value
}

/// Takes a reference to a static, or to what is promoted to one. What is neither is a value with a
/// destructor, or one that can be changed: bind it to a `let` with a written type first.
#[inline(always)]
#[must_use]
pub const fn for_ever<T: ?Sized>(reference: &'static T) -> &'static T {
    reference
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_without_glue_takes_no_space() {
        assert_eq!(size_of::<Held<[u64; 8], false>>(), 0);
        assert_eq!(size_of::<Held<[u64; 8], true>>(), 64);
    }

    #[test]
    fn local_put_away_comes_back_if_it_drops() {
        let plain = Held::<u64, false>::put_away(Maybe::some(1));
        assert!(plain.take_up().into_option().is_none());
        let owned = Held::<String, true>::put_away(Maybe::some(String::from("old")));
        assert_eq!(owned.take_up().into_option().as_deref(), Some("old"));
    }

    #[test]
    #[should_panic(expected = "used after it was moved")]
    fn destructor_of_nothing_is_not_put_away() {
        let _ = Held::<String, true>::put_away(Maybe::none());
    }
}
