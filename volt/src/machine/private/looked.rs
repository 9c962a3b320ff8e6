//! The collections, methods and operators of the standard library that do nothing but look.
//!
//! An element is found again at each poll where it is lent, by the `Index` of its list; the methods
//! that are known by their names are called again, and so are the operators of an index. Here stands
//! whose these may be: code that is never run asks for it.

use core::slice::SliceIndex;

use super::super::plain_deref::PlainDeref;

/// A list whose elements are found without a trace.
#[diagnostic::on_unimplemented(
    message = "an element of a `{Self}` is looked for again at each poll, by an `Index` that may tell",
    label = "what is lent is an element of this",
    note = "take the element before: `let value: T = list[index].clone();`, and lend `&value`; or lend \
            the whole, and look for the element in the callee",
    note = "lists of the standard library may stand here, and maps whose keys are its strings or numbers"
)]
pub trait Elements<I> {}

impl<T, I: SliceIndex<[T]>> Elements<I> for [T] {}
impl<T, I: SliceIndex<[T]>, const N: usize> Elements<I> for [T; N] {}
impl<I: SliceIndex<str>> Elements<I> for str {}
impl<L: Elements<I> + ?Sized, I> Elements<I> for &L {}
impl<L: Elements<I> + ?Sized, I> Elements<I> for &mut L {}
impl<L: Elements<I> + ?Sized, I> Elements<I> for core::cell::Ref<'_, L> {}
impl<L: Elements<I> + ?Sized, I> Elements<I> for core::cell::RefMut<'_, L> {}

impl<P, I> Elements<I> for core::pin::Pin<P>
where
    P: PlainDeref,
    P::Target: Elements<I>,
{
}

/// The list and the index of an element that is lent.
#[inline]
pub const fn elements<L: Elements<I> + ?Sized, I>(_: &L, _: &I) {}

/// What has methods that are known by their names.
#[diagnostic::on_unimplemented(
    message = "this method is called again at each poll, and is that of `{Self}`",
    label = "not a type of the standard library",
    note = "take the value before: `let value: T = ..;`, and lend `&value`; or lend the whole, and call \
            the method in the callee"
)]
pub trait Looks {}

impl<T: Looks + ?Sized> Looks for &T {}
impl<T: Looks + ?Sized> Looks for &mut T {}
impl<T> Looks for [T] {}
impl<T, const N: usize> Looks for [T; N] {}
impl<T> Looks for Option<T> {}
impl Looks for str {}

/// What a method is called on that only looks.
#[inline]
pub const fn looks<T: Looks + ?Sized>(_: &T) {}

/// What has `as_ref` and `deref` of the standard library.
#[diagnostic::on_unimplemented(
    message = "this method is called again at each poll, and is that of `{Self}`",
    label = "not a pointer of the standard library",
    note = "take the value before: `let value: T = ..;`, and lend `&value`; or lend the whole, and call \
            the method in the callee"
)]
pub trait Opens {}

impl<T: Opens + ?Sized> Opens for &T {}
impl<T: Opens + ?Sized> Opens for &mut T {}
impl<T> Opens for Option<T> {}
impl<P: PlainDeref> Opens for core::pin::Pin<P> {}

/// What `as_ref` or `deref` is called on.
#[inline]
pub const fn opens<T: Opens + ?Sized>(_: &T) {}

/// What has an `as_deref` that only looks.
#[diagnostic::on_unimplemented(
    message = "`as_deref` is called again at each poll, and calls what is in this `{Self}`",
    label = "may do more in its `deref` than to find a place",
    note = "lend the whole, and call the method in the callee"
)]
pub trait OpensBehind {}

impl<T: OpensBehind + ?Sized> OpensBehind for &T {}
impl<T: OpensBehind + ?Sized> OpensBehind for &mut T {}
impl<P: PlainDeref> OpensBehind for Option<P> {}

/// What `as_deref` is called on.
#[inline]
pub const fn opens_behind<T: OpensBehind + ?Sized>(_: &T) {}

/// A number, or a truth: the language's own operators are those of its values.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no number, and its operator may be anything",
    label = "this operator is evaluated later, or again at each poll",
    note = "bind it to a `let` with a written type first: `let index: usize = ..;`"
)]
pub trait Number: Copy {}

macro_rules! numbers {
    ($($number:ty)*) => {
        $(impl Number for $number {})*
    };
}

numbers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool);

/// A number itself.
#[inline]
pub const fn number<N: Number>(number: N) -> N {
    number
}

#[cfg(feature = "std")]
mod of_std {
    use core::borrow::Borrow;
    use core::hash::Hash;
    use core::slice::SliceIndex;
    use std::borrow::Cow;
    use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
    use std::ffi::{OsStr, OsString};
    use std::path::{Path, PathBuf};
    use std::rc::Rc;
    use std::sync::{Arc, LazyLock, MutexGuard, RwLockReadGuard, RwLockWriteGuard};

    use super::{Elements, Looks, Opens, PlainDeref};

    impl<T, I: SliceIndex<[T]>> Elements<I> for Vec<T> {}
    impl<I: SliceIndex<str>> Elements<I> for String {}
    impl<T> Elements<usize> for VecDeque<T> {}

    impl<K, Q, V> Elements<&Q> for HashMap<K, V>
    where
        K: Key + Eq + Hash + Borrow<Q>,
        Q: Key + Eq + Hash + ?Sized,
    {
    }

    impl<K, Q, V> Elements<&Q> for BTreeMap<K, V>
    where
        K: Key + Ord + Borrow<Q>,
        Q: Key + Ord + ?Sized,
    {
    }

    /// A key that is compared and hashed without a trace.
    #[diagnostic::on_unimplemented(
        message = "an element is looked for again at each poll, by the `Hash` or `Ord` of `{Self}`",
        label = "the keys of this map are not those of the standard library",
        note = "take the element before: `let value: T = map[key].clone();`, and lend `&value`; or lend \
                the whole, and look for the element in the callee"
    )]
    pub trait Key {}

    macro_rules! keys {
        ($($key:ty)*) => {
            $(impl Key for $key {})*
        };
    }

    keys!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool char);
    keys!(str String Path PathBuf OsStr OsString);
    impl<T: Key + ?Sized> Key for &T {}
    impl<T: Key + ?Sized> Key for Box<T> {}
    impl<T: Key + ?Sized> Key for Rc<T> {}
    impl<T: Key + ?Sized> Key for Arc<T> {}
    impl<T: Key> Key for Vec<T> {}
    impl<T: Key> Key for [T] {}
    impl<T: Key, const N: usize> Key for [T; N] {}
    impl<T: Key> Key for Option<T> {}
    impl<T: Key + ToOwned + ?Sized> Key for Cow<'_, T> where T::Owned: Key {}
    impl<A: Key, B: Key> Key for (A, B) {}
    impl<A: Key, B: Key, C: Key> Key for (A, B, C) {}

    macro_rules! through {
        ($($pointer:ty)*) => {$(
            impl<L: Elements<I> + ?Sized, I> Elements<I> for $pointer {}
            impl<L: Looks + ?Sized> Looks for $pointer {}
        )*};
    }

    through!(Box<L> Rc<L> Arc<L>);
    through!(MutexGuard<'_, L> RwLockReadGuard<'_, L> RwLockWriteGuard<'_, L>);

    impl<L: Elements<I>, I, F: FnOnce() -> L> Elements<I> for LazyLock<L, F> {}
    impl<L: Looks, F: FnOnce() -> L> Looks for LazyLock<L, F> {}

    impl<T> Looks for Vec<T> {}
    impl Looks for String {}
    impl Looks for PathBuf {}
    impl Looks for Path {}
    impl Looks for OsString {}
    impl<T> Looks for VecDeque<T> {}
    impl<K, V, S> Looks for HashMap<K, V, S> {}
    impl<K, S> Looks for HashSet<K, S> {}
    impl<K, V> Looks for BTreeMap<K, V> {}
    impl<K> Looks for BTreeSet<K> {}
    impl<T: Looks + ToOwned + ?Sized> Looks for Cow<'_, T> where Self: PlainDeref {}

    impl<T: ?Sized> Opens for Box<T> {}
    impl<T: ?Sized> Opens for Rc<T> {}
    impl<T: ?Sized> Opens for Arc<T> {}
    impl<T: ToOwned + ?Sized> Opens for Cow<'_, T> where Self: PlainDeref {}
}
