//! The states of a machine: an enum, its projections, and the one place of their unsafe code.
//!
//! A variant has at most one pinned field, the future it waits for, and that comes first. The
//! other fields are the locals; they move freely, so they are projected to plain references and
//! taken out by value.
//!
//! # Invariants
//!
//! - I1: the pinned field is only ever reached through `Pin<&mut _>`, and is dropped where it
//!   is: `take` drops it in place before the variant is overwritten.
//! - I2: the enum is `Unpin` only if all its pinned fields are. The macro writes that
//!   implementation itself, so nobody can write another.
//! - I3: the enum has no `Drop`: a blanket implementation would collide with one.
//! - I4: the enum is not packed: the macro takes no `repr`.

use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ptr;

/// Declares the states of a machine, the view of them that a poll matches on, and the view by
/// value that a segment starts with.
///
/// Generics come in brackets, split the way each place needs them: the parameters as declared,
/// the arguments as named, and the where clause.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_states {
    (
        [$(#[$common:meta])*]
        $(#[$attribute:meta])*
        machine [$($vis:tt)*] $Machine:ident
            [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*]
        enum $States:ident {
            $(
                $(#[$meta:meta])*
                $Variant:ident {
                    $(#[pin] $future:ident: $Future:ty,)?
                    $($field:ident: $Field:ty,)*
                }
            )*
        }
        ref $Ref:ident
        own $Own:ident
    ) => {
        $(#[$common])*
        $(#[$attribute])*
        $($vis)* struct $Machine<$($parameters)*> where $($bounds)* {
            states: $States<$($arguments)*>,
        }

        #[automatically_derived]
        $(#[$common])*
        impl<$($parameters)*> $Machine<$($arguments)*> where $($bounds)* {
            #[inline]
            fn states(
                self: ::core::pin::Pin<&mut Self>,
            ) -> ::core::pin::Pin<&mut $States<$($arguments)*>> {
                // SAFETY: I2, I3: the states are pinned as the machine is.
                unsafe { ::core::pin::Pin::map_unchecked_mut(self, |machine| &mut machine.states) }
            }
        }

        $(#[$common])*
        enum $States<$($parameters)*> where $($bounds)* {
            $(
                $(#[$meta])*
                $Variant { $($future: $Future,)? $($field: $Field,)* },
            )*
            Done,
            Poisoned,
        }

        $(#[$common])*
        enum $Ref<'__pin, $($parameters)*> where $($bounds)* {
            $(
                $Variant {
                    $($future: ::core::pin::Pin<&'__pin mut ($Future)>,)?
                    $($field: &'__pin mut ($Field),)*
                },
            )*
            Done,
            Poisoned(::core::marker::PhantomData<&'__pin mut $States<$($arguments)*>>),
        }

        $(#[$common])*
        enum $Own<$($parameters)*> where $($bounds)* {
            $($Variant { $($field: $Field,)* },)*
            Other(::core::marker::PhantomData<$States<$($arguments)*>>),
        }

        #[automatically_derived]
        $(#[$common])*
        impl<$($parameters)*> $States<$($arguments)*> where $($bounds)* {
            /// Looks at the state, the awaited future pinned.
            #[inline]
            fn project(self: ::core::pin::Pin<&mut Self>) -> $Ref<'_, $($arguments)*> {
                // SAFETY: I1: the pinned field is pinned again below, and nothing is moved.
                match unsafe { ::core::pin::Pin::get_unchecked_mut(self) } {
                    $(
                        Self::$Variant { $($future,)? $($field,)* } => $Ref::$Variant {
                            // SAFETY: I1, I2, I3: the field is pinned as `self` is.
                            $($future: unsafe { ::core::pin::Pin::new_unchecked($future) },)?
                            $($field,)*
                        },
                    )*
                    Self::Done => $Ref::Done,
                    Self::Poisoned => $Ref::Poisoned(::core::marker::PhantomData),
                }
            }

            /// Drops the awaited future, takes the locals, and leaves the state poisoned.
            #[inline]
            fn take(self: ::core::pin::Pin<&mut Self>) -> $Own<$($arguments)*> {
                // SAFETY: I1: the pinned field is dropped in place and never moved.
                let states: *mut Self = unsafe { ::core::pin::Pin::get_unchecked_mut(self) };
                // SAFETY: the pointer comes from a unique reference, and each field is read or
                // dropped once: the guard overwrites the variant without dropping it, also if
                // the future's destructor panics.
                unsafe {
                    let poison = $crate::__private::Overwrite::new(states, Self::Poisoned);
                    let own = match &mut *states {
                        $(
                            Self::$Variant { $($future,)? $($field,)* } => {
                                let own = $Own::$Variant {
                                    $($field: ::core::ptr::read($field),)*
                                };
                                $(::core::ptr::drop_in_place($future);)?
                                own
                            }
                        )*
                        _ => $Own::Other(::core::marker::PhantomData),
                    };
                    ::core::mem::drop(poison);
                    own
                }
            }
        }

        $(#[$common])*
        const _: () = {
            #[automatically_derived]
            $(#[$common])*
            impl<'__pin, $($parameters)*> ::core::marker::Unpin for $States<$($arguments)*>
            where
                ($($($crate::__private::Under<'__pin, ($Future)>,)?)*): ::core::marker::Unpin,
                $($bounds)*
            {
            }

            #[automatically_derived]
            $(#[$common])*
            impl<'__pin, $($parameters)*> ::core::marker::Unpin for $Machine<$($arguments)*>
            where
                $crate::__private::Under<'__pin, $States<$($arguments)*>>: ::core::marker::Unpin,
                $($bounds)*
            {
            }

            #[allow(drop_bounds)]
            trait MustNotDrop {}
            #[allow(drop_bounds)]
            impl<T: ::core::ops::Drop> MustNotDrop for T {}
            $(#[$common])*
            impl<$($parameters)*> MustNotDrop for $Machine<$($arguments)*> where $($bounds)* {}
            $(#[$common])*
            impl<$($parameters)*> MustNotDrop for $States<$($arguments)*> where $($bounds)* {}
        };
    };
}

/// Declares the future of a machine that is lent something: the machine first, then what it is
/// lent.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_lender {
    (
        [$(#[$common:meta])*]
        $(#[$attribute:meta])*
        [$($vis:tt)*] $Lender:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*] {
            $machine:ident: $Machine:ty,
            $($field:ident: $Field:ty,)*
        }
    ) => {
        $(#[$common])*
        $(#[$attribute])*
        $($vis)* struct $Lender<$($parameters)*> where $($bounds)* {
            $machine: $Machine,
            $($field: $Field,)*
        }

        #[automatically_derived]
        $(#[$common])*
        impl<$($parameters)*> $Lender<$($arguments)*> where $($bounds)* {
            /// The machine, and a borrow of everything it is lent.
            #[inline]
            #[allow(clippy::type_complexity)]
            fn lend<'__pin>(
                self: ::core::pin::Pin<&'__pin mut Self>,
            ) -> (::core::pin::Pin<&'__pin mut $Machine>, ($(&'__pin mut $Field,)*)) {
                // SAFETY: I1: the machine is pinned again below, and the references may move.
                let this = unsafe { ::core::pin::Pin::get_unchecked_mut(self) };
                // SAFETY: I2, I3: the machine is pinned as its lender is.
                let machine = unsafe { ::core::pin::Pin::new_unchecked(&mut this.$machine) };
                (machine, ($(&mut this.$field,)*))
            }
        }

        $(#[$common])*
        const _: () = {
            #[automatically_derived]
            $(#[$common])*
            impl<'__pin, $($parameters)*> ::core::marker::Unpin for $Lender<$($arguments)*>
            where
                $crate::__private::Under<'__pin, $Machine>: ::core::marker::Unpin,
                $($bounds)*
            {
            }

            #[allow(drop_bounds)]
            trait MustNotDrop {}
            #[allow(drop_bounds)]
            impl<T: ::core::ops::Drop> MustNotDrop for T {}
            $(#[$common])*
            impl<$($parameters)*> MustNotDrop for $Lender<$($arguments)*> where $($bounds)* {}
        };
    };
}

/// Overwrites a place on drop, without dropping what was there.
#[derive(Debug)]
pub struct Overwrite<T> {
    place: *mut T,
    value: ManuallyDrop<T>,
}

impl<T> Overwrite<T> {
    /// Will write `value` to `place`.
    ///
    /// # Safety
    ///
    /// `place` is valid for writes for as long as the guard lives.
    #[inline]
    pub unsafe fn new(place: *mut T, value: T) -> Self {
        Self {
            place,
            value: ManuallyDrop::new(value),
        }
    }
}

impl<T> Drop for Overwrite<T> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the value is taken once, here.
        let value = unsafe { ManuallyDrop::take(&mut self.value) };
        // SAFETY: `new` was promised that the place is valid.
        unsafe { ptr::write(self.place, value) }
    }
}

/// `F` as a bound sees it: `Unpin` if `F` is, and never known too early to be so.
#[derive(Debug)]
pub struct Under<'a, F>(PhantomData<(&'a (), F)>);
