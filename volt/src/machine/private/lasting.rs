//! The proof that an expression keeps no value with a destructor alive behind an await.
//!
//! What has no name lives to the end of its statement, unless it is moved: in `f(make().len()).await`
//! the value that `make` gives lives as long as the await. The machine lets go of it before that. So
//! it is passed through [`lasting`], which gives it back as it is:
//!
//! ```text
//! f(lasting(make(), |it| it.left()).len()).await
//! ```
//!
//! The closure is never called. It asks the type what becomes of such a value, and the answer is
//! a type too: [`Goes`] if nobody can tell when it is dropped, and [`Lasts`] if only the compiler
//! can, once the type is known. What a method does with its receiver is asked of the type as well:
//! `unwrap` takes an `Option`, and a user's own type may have one that only looks.
//!
//! Before edition 2024 what the last expression of a block leaves behind lives longer than the locals
//! of the block, and has to be proven as well:
//!
//! ```edition2021,compile_fail
//! struct Guard(u32);
//!
//! impl Drop for Guard {
//!     fn drop(&mut self) {}
//! }
//!
//! impl Guard {
//!     fn number(&self) -> u32 {
//!         self.0
//!     }
//! }
//!
//! #[volt::state_machine]
//! async fn tail(text: String, delay: std::future::Ready<()>) -> u32 {
//!     let held: String = text;
//!     delay.await;
//!     Some(Guard(1)).unwrap().number()
//! }
//!
//! let machine = tail(String::new(), std::future::ready(()));
//! assert_eq!(futures_lite::future::block_on(machine), 1);
//! ```
//!
//! ```edition2024
//! struct Guard(u32);
//!
//! impl Drop for Guard {
//!     fn drop(&mut self) {}
//! }
//!
//! impl Guard {
//!     fn number(&self) -> u32 {
//!         self.0
//!     }
//! }
//!
//! #[volt::state_machine]
//! async fn tail(text: String, delay: std::future::Ready<()>) -> u32 {
//!     let held: String = text;
//!     delay.await;
//!     Some(Guard(1)).unwrap().number()
//! }
//!
//! let machine = tail(String::new(), std::future::ready(()));
//! assert_eq!(futures_lite::future::block_on(machine), 1);
//! ```
//!
//! The questions are methods of [`Like`]. They are looked for in the types that it leads to by
//! `Deref`, one behind the other; the last knows no more than whether there is a destructor.

use core::marker::PhantomData;
use core::mem::needs_drop;
use core::ops::Deref;

use super::held::NOT_TAKEN;
use super::quiet::Quiet;

/// What a temporary with a destructor is told that lives through an await.
const NOT_BOUND: &str = "a value without a name (the note below points at it) may live to the end of its \
                         statement, across an await or (before edition 2024) longer than the \
                         locals of its block, and has a destructor: bind it, or what is made of it, \
                         to a `let` with a written type first";

/// Gives back `value`, with the proof that what becomes of it goes unnoticed.
///
/// The call has the span of the value.
#[inline(always)]
pub fn lasting<T, A: Answer>(value: T, _: impl FnOnce(Like<T>) -> A) -> T {
    const { A::PROOF }
    value
}

/// The same for parts of the value.
#[inline(always)]
pub fn parted<T, A: Answer>(value: T, _: impl FnOnce(&T) -> A) -> T {
    const { A::PROOF }
    value
}

/// Refuses the value of a macro that stands at the end of a block.
pub fn unseen<T: Seen>(value: T) -> T {
    value
}

/// What no value is of which nobody sees how it is made.
#[diagnostic::on_unimplemented(
    message = "before edition 2024, what this macro leaves behind may live longer than the locals of \
               the block that it ends",
    label = "what it makes on its way cannot be seen",
    note = "bind it first: `let value: T = ..;` and `value`"
)]
pub trait Seen {}

/// What becomes of a value.
pub trait Answer {
    /// Fails to compile if it would be noticed.
    const PROOF: ();
}

/// It is moved, or dropped without a trace.
#[derive(Debug)]
pub struct Goes;

impl Answer for Goes {
    const PROOF: () = ();
}

/// It lives on, which goes unnoticed if it has no destructor.
#[derive(Debug)]
pub struct Lasts<T>(PhantomData<fn() -> T>);

impl<T> Answer for Lasts<T> {
    const PROOF: () = assert!(!needs_drop::<T>(), "{}", NOT_BOUND);
}

/// It is a part of a matched value, which lives on to the end of the `match`.
#[derive(Debug)]
pub struct Stays<T>(PhantomData<fn() -> T>);

impl<T> Answer for Stays<T> {
    const PROOF: () = assert!(!needs_drop::<T>(), "{}", NOT_TAKEN);
}

/// The answer for a part of a matched value that no pattern takes.
#[must_use]
pub fn stays<T>(_: &T) -> Stays<T> {
    Stays(PhantomData)
}

/// The answers for several parts of a value.
impl<A: Answer, B: Answer> Answer for (A, B) {
    const PROOF: () = {
        let () = A::PROOF;
        B::PROOF
    };
}

macro_rules! layers {
    ($($(#[$doc:meta])* $Layer:ident $(=> $Next:ident)?;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $Layer<T>(PhantomData<fn() -> T>);

        $(impl<T> Deref for $Layer<T> {
            type Target = $Next<T>;

            fn deref(&self) -> &$Next<T> {
                &$Next(PhantomData)
            }
        })?
    )*};
}

layers! {
    /// A `T` that is spoken of, which may have the method itself.
    Like => ByTrait;
    /// It may have the method by a trait that is in scope everywhere.
    ByTrait => Quietly;
    /// Nobody may be able to tell when it is dropped.
    Quietly => Anyway;
    /// It may have no destructor.
    Anyway;
}

impl<T> Like<T> {
    /// Speaks of the type of a part.
    #[must_use]
    pub fn of(_: &T) -> Self {
        Self(PhantomData)
    }
}

macro_rules! answers {
    ($({ $($of:tt)* } $Type:ty: $Answer:ty { $($name:ident)* })*) => {$(
        impl<$($of)*> $Type {
            $(
                /// The answer for a method of this kind.
                #[must_use]
                pub fn $name(&self) -> $Answer {
                    <$Answer>::new()
                }
            )*
        }
    )*};
}

impl Goes {
    fn new() -> Self {
        Self
    }
}

impl<T> Lasts<T> {
    fn new() -> Self {
        Self(PhantomData)
    }
}

// What takes `self`: `opened` are the methods of `Option` and `Result`, `turned` those of iterators,
// `mapped` those of both; `iterated`, `ordered` and `entered` those of `IntoIterator`, of `Ord` and of
// the entries of a map. What is `left` is not moved.
answers! {
    { T } Like<Option<T>>: Goes { opened mapped }
    { T, E } Like<Result<T, E>>: Goes { opened mapped }
    { T } Like<core::task::Poll<T>>: Goes { mapped }
    { T: Iterator } ByTrait<T>: Goes { turned mapped ordered }
    { T: Quiet } Quietly<T>: Goes { opened turned mapped iterated ordered entered left }
    { T } Anyway<T>: Lasts<T> { opened turned mapped iterated ordered entered left }
}

// A method of a trait that is in scope everywhere is found before one that only looks.
answers! {
    { T: IntoIterator } Like<T>: Goes { iterated }
    { T: Ord } Like<T>: Goes { ordered }
}

#[allow(
    drop_bounds,
    reason = "this is the question whether `Drop` is implemented"
)]
impl<T: Drop> Like<T> {
    /// Refuses a type that implements `Drop`.
    #[must_use]
    pub fn apart(&self) -> Goes
    where
        T: Apart,
    {
        Goes
    }
}

answers! {
    { T } Anyway<T>: Goes { apart }
}

/// What a type that implements `Drop` does not have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` implements `Drop`, so a pattern can only copy out of it: the value would be \
               dropped before the await instead of behind it",
    label = "taken apart by value, and alive across an await in the arm",
    note = "bind the value to a `let` with a written type, and match on `&` of it"
)]
pub trait Apart {}

#[cfg(feature = "rt")]
answers! {
    { K, V } Like<std::collections::hash_map::Entry<'_, K, V>>: Goes { entered }
    { K, V } Like<std::collections::btree_map::Entry<'_, K, V>>: Goes { entered }
}

#[cfg(test)]
mod tests {
    use std::string::String;
    use std::vec::Vec;

    use super::*;

    /// Whether what the type answers needs a proof that it has no destructor.
    macro_rules! lasts {
        ($question:ident of $T:ty) => {{
            fn name<A>(_: impl FnOnce(Like<$T>) -> A) -> &'static str {
                core::any::type_name::<A>()
            }
            name(|it| it.$question()).contains("Lasts")
        }};
    }

    struct Loud;

    impl Drop for Loud {
        fn drop(&mut self) {}
    }

    #[test]
    fn method_of_the_language_takes_its_own_types_only() {
        assert!(!lasts!(opened of Option<Loud>));
        assert!(!lasts!(mapped of Result<Loud, Loud>));
        assert!(!lasts!(mapped of std::vec::IntoIter<Loud>));
        assert!(!lasts!(iterated of Vec<Loud>));
        assert!(!lasts!(ordered of Vec<u8>));
        assert!(lasts!(opened of Loud));
        assert!(lasts!(opened of std::vec::IntoIter<Loud>));
        assert!(lasts!(turned of Option<Loud>));
        assert!(lasts!(mapped of std::sync::MutexGuard<'static, Option<u8>>));
        assert!(lasts!(iterated of std::cell::Ref<'static, Vec<u8>>));
        assert!(lasts!(ordered of std::cell::Ref<'static, u8>));
    }

    #[test]
    fn what_gives_back_memory_only_is_not_seen_to_go() {
        assert!(!lasts!(left of String));
        assert!(!lasts!(left of Vec<Option<String>>));
        assert!(lasts!(left of Vec<Loud>));
        assert!(lasts!(left of Option<Loud>));
    }

    #[test]
    fn value_is_given_back() {
        assert_eq!(lasting(String::from("same"), |it| it.left()), "same");
        assert_eq!(lasting(7, |it| it.ordered()), 7);
    }
}
