//! The proof that a place is the same, whenever it is looked for.
//!
//! What is lent is looked for again at each poll, and what stands before an await may be looked for
//! after it. Where the language calls a `deref` on the way, that is only right if it does nothing but
//! find the place: for pointers of the standard library, and for those with [`PlainDeref`].
//!
//! Whether a `.` or a coercion calls one is not seen in the source. So the question is put to the
//! type of each place on the way, in code that is never run: `(&&..Found(&place)).volt_again()` finds the
//! implementation of [`Find`] with the most references of those whose bounds hold. Some of them cannot
//! be called:
//!
//! ```text
//! &&&&&&  a plain pointer to a plain pointer to one    may be
//! &&&&&   .. to one that is not                        refused
//! &&&&    a plain pointer to a plain pointer           may be
//! &&&     .. to one that is not                        refused
//! &&      a plain pointer                              may be
//! &       another pointer                              refused
//!         what is no pointer, as far as is known       may be
//! ```

use core::marker::PhantomData;
use core::ops::Deref;

use super::super::plain_deref::PlainDeref;

/// A place on the way to another.
#[derive(Debug)]
pub struct Found<'a, T: ?Sized>(pub &'a T);

/// What can be told of a place.
pub trait Find {
    /// [`Plain`], or the pointer that is not.
    type Place: ?Sized;

    /// The place is looked for at each poll.
    fn volt_again(&self)
    where
        Self::Place: FoundAgain,
    {
    }

    /// The place is looked for after an await that stands behind it.
    fn volt_later(&self)
    where
        Self::Place: FoundLater,
    {
    }
}

/// A place that is found without a call that could be told.
#[derive(Debug)]
pub struct Plain;

/// What may be looked for again.
#[diagnostic::on_unimplemented(
    message = "this is looked for again at each poll, by the `deref` of `{Self}`",
    label = "what is lent stands behind a `{Self}`",
    note = "take the value before: `let value: T = place.clone();`, and lend `&value`; or lend the \
            whole, as `&guard`, to a callee that looks into it",
    note = "if its `deref` does but find the same place: `impl volt::machine::PlainDeref for ..`",
    note = "book: rules.md#pointers-of-your-own"
)]
pub trait FoundAgain {}

/// What may be looked for later.
#[diagnostic::on_unimplemented(
    message = "this comes before an await in the same expression, and calls the `deref` of `{Self}`",
    label = "the machine looks for what stands behind a `{Self}` after the await",
    note = "bind each part to a `let` with a written type, in their order: `let left: A = ..; let \
            right: B = ..;`",
    note = "if its `deref` does but find the same place: `impl volt::machine::PlainDeref for ..`",
    note = "book: rules.md#pointers-of-your-own"
)]
pub trait FoundLater {}

impl FoundAgain for Plain {}
impl FoundLater for Plain {}

impl<T> Find for &&&&&&Found<'_, T>
where
    T: PlainDeref + ?Sized,
    T::Target: PlainDeref,
    <T::Target as Deref>::Target: PlainDeref,
{
    type Place = Plain;
}

impl<T> Find for &&&&&Found<'_, T>
where
    T: PlainDeref + ?Sized,
    T::Target: PlainDeref,
    <T::Target as Deref>::Target: Deref,
{
    type Place = <T::Target as Deref>::Target;
}

impl<T> Find for &&&&Found<'_, T>
where
    T: PlainDeref + ?Sized,
    T::Target: PlainDeref,
{
    type Place = Plain;
}

impl<T> Find for &&&Found<'_, T>
where
    T: PlainDeref + ?Sized,
    T::Target: Deref,
{
    type Place = T::Target;
}

impl<T: PlainDeref + ?Sized> Find for &&Found<'_, T> {
    type Place = Plain;
}

impl<T: Deref + ?Sized> Find for &Found<'_, T> {
    type Place = T;
}

impl<T: ?Sized> Find for Found<'_, T> {
    type Place = Plain;
}

/// A pointer that a `*` follows, whatever it points to.
#[derive(Debug)]
pub struct Followed<'a, T: ?Sized>(pub &'a T);

impl<T: PlainDeref + ?Sized> Find for &&Followed<'_, T> {
    type Place = Plain;
}

impl<T: Deref + ?Sized> Find for &Followed<'_, T> {
    type Place = T;
}

impl<T: ?Sized> Find for Followed<'_, T> {
    type Place = Plain;
}

/// The argument of a call, whose type the call tells.
#[derive(Debug)]
pub struct Slot<P>(PhantomData<fn() -> P>);

impl<P> Slot<P> {
    /// An argument of a type that is not known yet.
    #[expect(clippy::new_without_default, reason = "the vocabulary of machines")]
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    /// What is given in its place.
    ///
    /// # Panics
    ///
    /// Panics, for there is nothing: it stands in code that is never run.
    #[must_use]
    pub fn given(&self) -> P {
        any()
    }

    /// This is what is really given.
    pub fn to<A>(self, _: A) -> Given<A, P> {
        Given(PhantomData, PhantomData)
    }
}

/// A value of any type.
///
/// # Panics
///
/// Panics, for there is none: it stands in code that is never run.
#[must_use]
pub fn any<T>() -> T {
    panic!("code that is only compiled")
}

/// An `A`, given as a `P`.
#[derive(Debug)]
pub struct Given<A, P>(PhantomData<fn(A)>, PhantomData<fn() -> P>);

/// The next type behind a pointer.
type Behind<T> = <T as Deref>::Target;

macro_rules! given {
    ($($levels:tt)*) => {
        given_as! { (&), (&), $($levels)* }
        given_as! { (&mut), (&), $($levels)* }
        given_as! { (&mut), (&mut), $($levels)* }
    };
}

macro_rules! given_as {
    ($given:tt, $taken:tt, $([$($depth:tt)*] $place:ty, $target:ty, $bounds:tt)*) => {
        $(given_as! { @ [$($depth)*] $given, $taken, $place, $target, $bounds })*
    };
    (@ [$($depth:tt)*] ($($given:tt)*), ($($taken:tt)*), $place:ty, $target:ty, { $($bound:tt)* }) => {
        impl<T: ?Sized> Find for $($depth)* Given<$($given)* T, $($taken)* $target>
        where
            $($bound)*
        {
            type Place = $place;
        }
    };
}

// The reference itself, and what it is coerced to by one, two or three calls of `deref`.
given! {
    [&&&&&&] Plain, T, {}
    [&&&&&] Plain, Behind<T>, { T: PlainDeref }
    [&&&&] T, Behind<T>, { T: Deref }
    [&&&] Plain, Behind<Behind<T>>, { T: PlainDeref, Behind<T>: PlainDeref }
    [&&] Behind<T>, Behind<Behind<T>>, { T: Deref, Behind<T>: Deref }
    [&] Behind<Behind<T>>, Behind<Behind<Behind<T>>>, {
        T: Deref,
        Behind<T>: Deref,
        Behind<Behind<T>>: Deref,
    }
}

impl<A, P> Find for Given<A, P> {
    type Place = Plain;
}

/// A pointer to what nobody else writes while it is there.
#[diagnostic::on_unimplemented(
    message = "this is read before an await in the same expression, through a `{Self}`",
    label = "the machine reads it after the await, and it may be something else then",
    note = "bind each part to a `let` with a written type, in their order: `let left: A = ..; let \
            right: B = ..;`",
    note = "book: rules.md#pointers-of-your-own"
)]
pub trait ReadLater {}

#[diagnostic::do_not_recommend]
impl<P: PlainDeref + ?Sized> ReadLater for P {}

/// A pointer that may be read after an await that stands behind it.
#[inline]
pub const fn read_later<P: ReadLater + ?Sized>(_: &P) {}

#[cfg(test)]
#[allow(
    clippy::needless_borrow,
    reason = "what is asked is how many there are"
)]
mod tests {
    use super::*;
    use core::any::type_name;
    use std::sync::Arc;

    struct Own(u8);

    impl Deref for Own {
        type Target = u8;

        fn deref(&self) -> &u8 {
            &self.0
        }
    }

    fn place<F: Find + ?Sized>(_: &F) -> &'static str
    where
        F::Place: Sized,
    {
        type_name::<F::Place>().rsplit("::").next().unwrap_or("")
    }

    trait Ask: Find<Place: Sized> {
        fn ask(&self) -> &'static str {
            place(self)
        }
    }

    impl<F: Find<Place: Sized>> Ask for F {}

    fn take(_: &u8) {}
    fn whole(_: &Own) {}

    #[test]
    fn pointer_of_another_is_found_behind_known_ones() {
        let own = Own(1);
        assert_eq!((&&&&&&&Found(&1u8)).ask(), "Plain");
        assert_eq!((&&&&&&&Found(&vec![1u8])).ask(), "Plain");
        assert_eq!((&&&&&&&Found(&Arc::new(Box::new(1u8)))).ask(), "Plain");
        assert_eq!((&&&&&&&Found(&own)).ask(), "Own");
        assert_eq!((&&&&&&&Found(&&own)).ask(), "Own");
        assert_eq!((&&&&&&&Found(&&Box::new(Own(2)))).ask(), "Own");
    }

    #[test]
    fn coercion_is_told_from_the_thing_itself() {
        let own = Own(1);
        let slot = Slot::new();
        let _ = || whole(slot.given());
        assert_eq!((&&&&&&&slot.to(&own)).ask(), "Plain");
        let slot = Slot::new();
        let _ = || take(slot.given());
        assert_eq!((&&&&&&&slot.to(&own)).ask(), "Own");
        let slot = Slot::new();
        let _ = || take(slot.given());
        assert_eq!((&&&&&&&slot.to(&Arc::new(Own(1)))).ask(), "Own");
        let slot = Slot::new();
        let _ = || take(slot.given());
        assert_eq!((&&&&&&&slot.to(&Arc::new(1))).ask(), "Plain");
    }
}
