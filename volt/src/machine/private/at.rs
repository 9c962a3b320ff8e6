//! Where states stand, known by type.
//!
//! A poll asks once at which variant the states of a machine stand. What it finds it holds as an
//! [`At`], from which the awaited future is polled; when that is ready, [`At::take`] takes out the
//! locals and leaves a [`Vacant`], and when the code in between has run, [`Vacant::put`]
//! fills it again, which gives the next [`At`]. So no variant is asked for that is already known,
//! and nothing is dropped that is already gone.
//!
//! A local that is kept in its place lives in a *room*: a variant whose pinned field is a set of
//! states again. [`Vacant::furnish`] makes one and [`At::enter`] goes into one; both give the local by
//! reference, and what is known of the states beside it. A room is left by filling the outer states.
//!
//! All are as good as a `Pin<&mut S>`: there is one of them at a time.
//!
//! # Invariants
//!
//! - A1: the pointer comes from a pinned unique reference that is not used for `'a`.
//! - A2: the states of an `At<'a, S, N>` stand at variant `N`.
//! - A3: to drop the states of a `Vacant<'a, S>` does nothing.

use core::fmt;
use core::marker::PhantomData;
use core::mem::{self, needs_drop};
use core::pin::Pin;
use core::ptr;

use super::drive::{Vacate, resumed_in_vacant_room};

/// A variant of a set of states, by its index.
///
/// # Safety
///
/// `write` makes this variant of the parts, and the other functions are about these parts.
pub unsafe trait Variant<const N: usize>: Sized {
    /// The future that is awaited; `()` if none is stored.
    type Pinned;
    /// The locals.
    type Fields;
    /// The locals, borrowed.
    type Borrowed<'a>
    where
        Self: 'a;

    /// Whether the states stand at this variant.
    fn is_at(&self) -> bool;

    /// Writes the states at this variant, without dropping what was there.
    ///
    /// # Safety
    ///
    /// The pointer is valid for writes.
    unsafe fn write(states: *mut Self, pinned: Self::Pinned, fields: Self::Fields);

    /// The pinned field, and the locals.
    ///
    /// # Safety
    ///
    /// The states are valid for `'a`, not borrowed, and stand at this variant.
    unsafe fn parts<'a>(states: *mut Self) -> (*mut Self::Pinned, Self::Borrowed<'a>)
    where
        Self: 'a;

    /// Copies the locals out.
    ///
    /// # Safety
    ///
    /// The states are valid, not borrowed, and stand at this variant; the locals in them are not
    /// used any more.
    unsafe fn read(states: *mut Self) -> Self::Fields;
}

/// States that stand at variant `N`.
pub struct At<'a, S, const N: usize> {
    states: *mut S,
    life: PhantomData<&'a mut S>,
}

impl<'a, S: Variant<N>, const N: usize> At<'a, S, N> {
    /// The states, seen to stand at variant `N`.
    ///
    /// # Safety
    ///
    /// They do, and they are pinned.
    #[inline]
    pub unsafe fn new(states: &'a mut S) -> Self {
        Self {
            states,
            life: PhantomData,
        }
    }

    /// The states, which are known by other means to stand at variant `N`.
    #[inline]
    pub fn of(states: Pin<&'a mut S>) -> Self {
        if !states.is_at() {
            resumed_in_vacant_room();
        }
        // SAFETY: nothing is moved out of the states.
        let states = unsafe { Pin::get_unchecked_mut(states) };
        // SAFETY: they were pinned, and stand at this variant.
        unsafe { Self::new(states) }
    }

    /// Enters a room: the states that are nested in it, and the locals that are kept beside them.
    #[inline]
    pub fn enter(self) -> (Pin<&'a mut S::Pinned>, S::Borrowed<'a>) {
        // SAFETY: A1, A2.
        let (pinned, fields) = unsafe { S::parts(self.states) };
        // SAFETY: A1: the pointer is to a field of the states, or to a `()`.
        let pinned = unsafe { &mut *pinned };
        // SAFETY: A1: the field is pinned as the states are.
        (unsafe { Pin::new_unchecked(pinned) }, fields)
    }

    /// The awaited future, pinned, and the locals.
    #[inline]
    pub fn view(&mut self) -> (Pin<&mut S::Pinned>, S::Borrowed<'_>) {
        // SAFETY: A1, A2.
        let (pinned, fields) = unsafe { S::parts(self.states) };
        // SAFETY: A1: the pointer is to a field of the states, or to a `()`.
        let pinned = unsafe { &mut *pinned };
        // SAFETY: A1: the field is pinned as the states are.
        (unsafe { Pin::new_unchecked(pinned) }, fields)
    }

    /// Drops the awaited future where it is, and takes the locals.
    #[inline]
    pub fn take(self) -> (Vacant<'a, S>, S::Fields)
    where
        S: Vacate,
    {
        let poison = Overwrite {
            states: self.states,
        };
        // SAFETY: A1, A2: the locals are forgotten by the guard, or have no destructor.
        let fields = unsafe { S::read(self.states) };
        if const { needs_drop::<S::Pinned>() } {
            // SAFETY: A1, A2.
            let (pinned, _) = unsafe { S::parts(self.states) };
            // SAFETY: A1, and I1 of the states: this is its one drop, for the guard forgets it.
            unsafe { ptr::drop_in_place(pinned) };
        }
        if const { needs_drop::<S::Pinned>() || needs_drop::<S::Fields>() } {
            drop(poison);
        } else {
            // A3 holds as it is.
            mem::forget(poison);
        }
        let (states, life) = (self.states, PhantomData);
        (Vacant { states, life }, fields)
    }
}

impl<S, const N: usize> fmt::Debug for At<'_, S, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("At").field("variant", &N).finish()
    }
}

/// States that hold nothing.
pub struct Vacant<'a, S> {
    states: *mut S,
    life: PhantomData<&'a mut S>,
}

impl<'a, S> Vacant<'a, S> {
    /// The states, emptied if they are not.
    #[inline]
    pub fn of(mut states: Pin<&'a mut S>) -> Self
    where
        S: Vacate,
    {
        if !states.is_vacant() {
            states.set(S::poisoned());
        }
        Self {
            // SAFETY: nothing is moved out of the states.
            states: unsafe { Pin::get_unchecked_mut(states) },
            life: PhantomData,
        }
    }

    /// Makes a room of the states: locals that stay in their place, and states beside them.
    #[inline]
    pub fn furnish<const N: usize>(
        self,
        fields: S::Fields,
    ) -> (Vacant<'a, S::Pinned>, S::Borrowed<'a>)
    where
        S: Variant<N>,
        S::Pinned: Vacate,
    {
        // SAFETY: A1; there is nothing to drop, by A3.
        unsafe { S::write(self.states, S::Pinned::poisoned(), fields) };
        // SAFETY: A1; the states have just been written at this variant.
        let (states, fields) = unsafe { S::parts(self.states) };
        let life = PhantomData;
        (Vacant { states, life }, fields)
    }

    /// Fills the states.
    #[inline]
    pub fn put<const N: usize>(self, pinned: S::Pinned, fields: S::Fields) -> At<'a, S, N>
    where
        S: Variant<N>,
    {
        // SAFETY: A1; there is nothing to drop, by A3.
        unsafe { S::write(self.states, pinned, fields) };
        At {
            states: self.states,
            life: PhantomData,
        }
    }
}

impl<S> fmt::Debug for Vacant<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Vacant")
    }
}

/// Poisons states on drop, without dropping what was there.
struct Overwrite<S: Vacate> {
    states: *mut S,
}

impl<S: Vacate> Drop for Overwrite<S> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: A1: the guard is dropped within the life of what made it.
        unsafe { ptr::write(self.states, S::poisoned()) }
    }
}

#[cfg(test)]
#[allow(
    dead_code,
    unused_parens,
    clippy::undocumented_unsafe_blocks,
    reason = "the states are those of expanded code"
)]
mod tests {
    use core::cell::{Cell, RefCell};
    use core::marker::PhantomPinned;
    use core::pin::pin;
    use std::string::String;
    use std::vec::Vec;

    use super::super::beside::Beside;
    use super::super::drive::{Begin, Caller};
    use super::*;

    /// A future as far as the states care: pinned, and heard when it is dropped.
    struct Held<'a>(&'a str, &'a RefCell<Vec<String>>, PhantomPinned);

    impl Drop for Held<'_> {
        fn drop(&mut self) {
            self.1.borrow_mut().push(self.0.into());
            assert!(self.0 != "struck", "struck");
        }
    }

    crate::__volt_states! {
        []
        machine [] Machine ['a, T: Clone,] ['a, T,] []
        beside ([u8; 8],)
        enum States {
            0usize Start { first: T, second: Held<'a>, }
            1usize Wait { #[pin] future: Held<'a>, second: Held<'a>, first: T, }
            2usize Room { large: [u8; 100], #[pin] at: RoomStates<'a, T>, }
        }
        likely { Room }
        rooms { Room at }
        next Next [Jump]
    }

    crate::__volt_room! {
        [] ['a, T: Clone,] ['a, T,] []
        enum RoomStates {
            0usize Inner { #[pin] future: Held<'a>, count: u8, }
            1usize Last { value: T, }
        }
        likely {}
        begins {} ()
        ends {} resumed_in_vacant_room
        marker { marker: fn() -> (*const T, &'a ()) }
        rooms {}
        next RoomNext []
    }

    type Of<'a> = States<'a, String>;

    fn start(log: &RefCell<Vec<String>>) -> Of<'_> {
        let second = Held("second", log, PhantomPinned);
        let first = String::from("first");
        States::Start { first, second }
    }

    #[test]
    fn locals_go_from_state_to_state_and_futures_are_dropped_where_they_are() {
        let log = RefCell::new(Vec::new());
        let states = pin!(start(&log));
        let guards = Cell::new(false);
        let begin = Begin::<Caller>::new(&guards);
        let Next::<_, ()>::Start(at) = states.project(&begin) else {
            panic!("not at the start");
        };
        let (vacant, (first, second)) = at.take();
        let future = Held("future", &log, PhantomPinned);
        let mut at: At<'_, Of<'_>, 1> = vacant.put(future, (second, first));
        let (future, (_, first)) = at.view();
        assert_eq!((future.0, first.as_str()), ("future", "first"));
        let (_, (second, first)) = at.take();
        assert_eq!(*log.borrow(), ["future"]);
        assert_eq!((second.0, first.as_str()), ("second", "first"));
    }

    #[test]
    fn room_keeps_its_local_in_place_and_is_left_by_filling_the_states_around_it() {
        let log = RefCell::new(Vec::new());
        let mut states = pin!(start(&log));
        let (vacant, (large,)) = Vacant::of(states.as_mut()).furnish::<2>(([1; 100],));
        assert_eq!(*log.borrow(), ["second"]);
        let place = core::ptr::from_ref(large);
        let mut at: At<'_, _, 0> = vacant.put(Held("inner", &log, PhantomPinned), (7,));
        large[3] = 9;
        assert_eq!(*at.view().1.0, 7);
        let (vacant, (count,)) = at.take();
        large[4] = count;
        let _: At<'_, _, 1> = vacant.put((), (String::from("value"),));
        let (inner, (large,)) = At::<_, 2>::of(states.as_mut()).enter();
        assert!(core::ptr::eq(place, large));
        assert_eq!(large[2..6], [1, 9, 7, 1]);
        let RoomNext::Last(at) = inner.project() else {
            panic!("not at the last");
        };
        let (_, (value,)) = at.take();
        let future = Held("future", &log, PhantomPinned);
        let second = Held("later", &log, PhantomPinned);
        let vacant = Vacant::of(states.as_mut());
        let _: At<'_, _, 1> = vacant.put(future, (second, value));
        states.set(States::Done);
        assert_eq!(*log.borrow(), ["second", "inner", "future", "later"]);
    }

    #[test]
    fn what_a_room_holds_is_dropped_with_it() {
        let log = RefCell::new(Vec::new());
        let mut states = pin!(start(&log));
        let (vacant, _) = Vacant::of(states.as_mut()).furnish::<2>(([1; 100],));
        let _: At<'_, _, 0> = vacant.put(Held("inner", &log, PhantomPinned), (7,));
        assert!(!states.is_vacant());
        let _ = Vacant::of(states.as_mut());
        assert!(states.is_vacant());
        assert_eq!(*log.borrow(), ["second", "inner"]);
    }

    #[test]
    fn panic_in_the_destructor_of_the_future_drops_the_locals_once() {
        let log = RefCell::new(Vec::new());
        let mut states = pin!(start(&log));
        let second = Held("local", &log, PhantomPinned);
        let vacant = Vacant::of(states.as_mut());
        let struck = Held("struck", &log, PhantomPinned);
        let at: At<'_, _, 1> = vacant.put(struck, (second, String::new()));
        let take = std::panic::AssertUnwindSafe(|| drop(at.take()));
        assert!(std::panic::catch_unwind(take).is_err());
        assert!(states.is_vacant());
        assert_eq!(*log.borrow(), ["second", "struck", "local"]);
    }

    #[test]
    fn locals_beside_the_states_are_lent_with_them() {
        let log = RefCell::new(Vec::new());
        let mut machine = pin!(Machine {
            states: start(&log),
            beside: Beside::new(([7; 8],)),
        });
        let (states, beside) = machine.as_mut().parts();
        let vacant = Vacant::of(states);
        beside.locals.0[1] += 1;
        let future = Held("future", &log, PhantomPinned);
        let second = Held("later", &log, PhantomPinned);
        let mut at: At<'_, _, 1> = vacant.put(future, (second, String::new()));
        beside.locals.0[2] += 2;
        assert_eq!(at.view().0.0, "future");
        let (vacant, _) = at.take();
        beside.locals.0[3] += 3;
        let _: At<'_, _, 0> = vacant.put((), (String::new(), Held("last", &log, PhantomPinned)));
        assert_eq!(machine.parts().1.locals.0[..4], [7, 8, 9, 10]);
    }
}
