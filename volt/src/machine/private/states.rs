//! The states of a machine: an enum, the places that it can stand at, and the one place of their
//! unsafe code.
//!
//! A variant has at most one pinned field, the future it waits for. The other fields are the
//! locals; they move freely, so they are lent by plain references and taken out by value. Which
//! variant the enum stands at is asked once a poll. From then on that is known by type: [`At`] is
//! the enum at a known variant, [`Vacant`] the enum with nothing in it, and one becomes the other.
//!
//! # Invariants
//!
//! - I1: the pinned field is only ever reached through `Pin<&mut _>`, and is dropped where it
//!   is: `take` drops it in place before anything is written over it.
//! - I2: the enum is `Unpin` only if all its pinned fields are. The macro writes that
//!   implementation itself, so nobody can write another.
//! - I3: the enum has no `Drop`: a blanket implementation would collide with one.
//! - I4: the enum is not packed: the macro takes no `repr`.

use core::marker::PhantomData;

/// Declares a machine, its states, and where a poll can stand: at one of them, or at a jump.
///
/// Locals that every state keeps may stand beside the states. They are lent to each poll, and are
/// never pinned.
///
/// Generics come in brackets, split the way each place needs them: the parameters as declared,
/// the arguments as named, and the where clause.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_states {
    (
        $common:tt
        $(#[$attribute:meta])*
        machine $vis:tt $Machine:ident $parameters:tt $arguments:tt $bounds:tt
        $(beside $beside:tt)?
        enum $States:ident $variants:tt
        likely $likely:tt
        rooms $rooms:tt
        next $Next:ident $jumps:tt
    ) => {
        $crate::__volt_states! {
            @machine $common $(#[$attribute])* $vis $Machine $States $parameters $arguments $bounds
            $($beside)?
        }
        $($crate::__volt_states! {
            @parts $common $Machine $States $parameters $arguments $bounds $beside
        })?
        $crate::__volt_room! {
            $common $parameters $arguments $bounds
            enum $States $variants
            likely $likely
            begins { begin } (begin: &$crate::__private::Begin<'_, impl $crate::__private::Poller>)
            ends { Done: resumed_after_completion } resumed_after_panicking
            marker {}
            rooms $rooms
            next $Next $jumps
        }
    };
    (
        @machine
        [$(#[$common:meta])*]
        $(#[$attribute:meta])*
        [$($vis:tt)*] $Machine:ident $States:ident
        [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*]
        $(($($Beside:ty,)*))?
    ) => {
        $(#[$common])*
        $(#[$attribute])*
        $($vis)* struct $Machine<$($parameters)*> where $($bounds)* {
            states: $States<$($arguments)*>,
            $(beside: $crate::__private::Beside<($($Beside,)*)>,)?
        }

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
        const _: () = {
            #[automatically_derived]
            $(#[$common])*
            impl<'__pin, $($parameters)*> ::core::marker::Unpin for $Machine<$($arguments)*>
            where
                $crate::__private::Under<'__pin, $States<$($arguments)*>>: ::core::marker::Unpin,
                $($bounds)*
            {
            }

            #[allow(drop_bounds, reason = "this is the question asked")]
            trait MustNotDrop {}
            #[allow(drop_bounds, reason = "this is the question asked")]
            impl<T: ::core::ops::Drop> MustNotDrop for T {}
            $(#[$common])*
            impl<$($parameters)*> MustNotDrop for $Machine<$($arguments)*> where $($bounds)* {}
        };
    };
    (
        @parts
        [$(#[$common:meta])*]
        $Machine:ident $States:ident
        [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*]
        ($($Beside:ty,)*)
    ) => {
        $(#[$common])*
        impl<$($parameters)*> $Machine<$($arguments)*> where $($bounds)* {
            #[inline]
            fn parts(
                self: ::core::pin::Pin<&mut Self>,
            ) -> (
                ::core::pin::Pin<&mut $States<$($arguments)*>>,
                &mut $crate::__private::Beside<($($Beside,)*)>,
            ) {
                // SAFETY: I1: nothing is moved out of the states here.
                let machine: &mut Self = unsafe { ::core::pin::Pin::get_unchecked_mut(self) };
                // SAFETY: I2, I3: the states are pinned as the machine is.
                let states = unsafe { ::core::pin::Pin::new_unchecked(&mut machine.states) };
                (states, &mut machine.beside)
            }
        }
    };
}

/// Declares a set of states: those of a machine, or those of a room, beside which locals are kept
/// in their place.
///
/// The first fields of a variant are those without a destructor: the macro puts each where it is in
/// other variants too, so that most stay in their place. What is pinned comes next, and then, in the
/// order in which they are dropped, the others.
///
/// `likely` is asked for before the other variants. It is the room of a machine, or the only
/// suspend point: where the tag lies in one of its fields, that is all there is to ask.
///
/// Of `rooms` is given each variant whose pinned field is a set of states, and that field.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_room {
    (
        $common:tt $parameters:tt $arguments:tt $bounds:tt
        enum $States:ident { $($index:tt $Variant:ident $fields:tt)* }
        likely $likely:tt
        begins $begins:tt $begin:tt
        ends $ends:tt $poisoned:tt
        marker $marker:tt
        rooms $rooms:tt
        next $Next:ident $jumps:tt
    ) => {
        $crate::__volt_room! {
            @states
            $common $parameters $arguments $bounds
            enum $States { $($index $Variant $fields)* }
            likely $likely
            begins $begins $begin
            ends $ends $poisoned
            marker $marker
            rooms $rooms
            next $Next $jumps
        }
        $($crate::__volt_variant! {
            $common $States $parameters $arguments $bounds $index $Variant $fields
        })*
    };
    (
        @states
        [$(#[$common:meta])*] [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*]
        enum $States:ident {
            $(
                $index:tt $Variant:ident {
                    $($plain:ident: $Plain:ty,)*
                    $(
                        #[pin] $future:ident: $Future:ty,
                        $($field:ident: $Field:ty,)*
                    )?
                }
            )*
        }
        likely { $($Likely:ident)? }
        begins $begins:tt ($($begin:tt)*)
        ends { $($End:ident: $resumed:ident)? } $poisoned:ident
        marker { $($marker:ident: $Marker:ty)? }
        rooms { $($Room:ident $at:ident)* }
        next $Next:ident [$($Jump:ident),*]
    ) => {
        $(#[$common])*
        enum $States<$($parameters)*> where $($bounds)* {
            $(
                $Variant {
                    $($plain: $Plain,)*
                    $($future: $Future, $($field: $Field,)*)?
                },
            )*
            $($End,)?
            Poisoned { $($marker: ::core::marker::PhantomData<$Marker>)? },
        }

        $(#[$common])*
        enum $Next<'__pin, __States, $($Jump),*> {
            $($Variant($crate::__private::At<'__pin, __States, $index>),)*
            $($Jump($Jump),)*
        }

        $(#[$common])*
        impl<$($parameters)*> $States<$($arguments)*> where $($bounds)* {
            /// Asks where the machine stands.
            #[inline]
            fn project<'__pin, $($Jump),*>(
                self: ::core::pin::Pin<&'__pin mut Self>,
                $($begin)*
            ) -> $Next<'__pin, Self, $($Jump),*> {
                // SAFETY: I1: nothing is moved out of it here.
                let states: &mut Self = unsafe { ::core::pin::Pin::get_unchecked_mut(self) };
                $(
                    if let Self::$Likely { .. } = states {
                        $crate::__volt_begin!($begins);
                        // SAFETY: the states are pinned, and stand at this variant.
                        return $Next::$Likely(unsafe { $crate::__private::At::new(states) });
                    }
                    ::core::hint::cold_path();
                )?
                let next = match states {
                    $(
                        Self::$Variant { .. } => {
                            // SAFETY: the states are pinned, and stand at this variant.
                            $Next::$Variant(unsafe { $crate::__private::At::new(states) })
                        }
                    )*
                    $(Self::$End => $crate::__private::$resumed(),)?
                    Self::Poisoned { .. } => $crate::__private::$poisoned(),
                };
                $crate::__volt_begin!($begins);
                next
            }
        }

        // SAFETY: nothing is pinned in poisoned states, nor in a room whose states are vacant.
        #[automatically_derived]
        $(#[$common])*
        unsafe impl<$($parameters)*> $crate::__private::Vacate for $States<$($arguments)*>
        where $($bounds)*
        {
            #[inline]
            fn poisoned() -> Self {
                Self::Poisoned { $($marker: ::core::marker::PhantomData)? }
            }

            #[inline]
            fn is_vacant(&self) -> bool {
                match self {
                    Self::Poisoned { .. } => true,
                    $(Self::$Room { $at, .. } => $crate::__private::Vacate::is_vacant($at),)*
                    _ => false,
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

            #[allow(drop_bounds, reason = "this is the question asked")]
            trait MustNotDrop {}
            #[allow(drop_bounds, reason = "this is the question asked")]
            impl<T: ::core::ops::Drop> MustNotDrop for T {}
            $(#[$common])*
            impl<$($parameters)*> MustNotDrop for $States<$($arguments)*> where $($bounds)* {}
        };
    };
}

/// Begins a poll at the states, if they are those of a machine.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_begin {
    ({}) => {};
    ({ $begin:ident }) => {
        $begin.guard();
    };
}

/// Says what a variant is made of.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_variant {
    (
        [$(#[$common:meta])*]
        $States:ident [$($parameters:tt)*] [$($arguments:tt)*] [$($bounds:tt)*]
        $index:tt $Variant:ident {
            $($plain:ident: $Plain:ty,)*
            $(#[pin] $future:ident: $Future:ty, $($field:ident: $Field:ty,)*)?
        }
    ) => {
        // SAFETY: the functions are about the fields of this variant, each of them once.
        #[automatically_derived]
        $(#[$common])*
        unsafe impl<$($parameters)*> $crate::__private::Variant<$index> for $States<$($arguments)*>
        where $($bounds)*
        {
            type Pinned = $crate::__volt_pinned!($($Future)?);
            type Fields = ($($Plain,)* $($($Field,)*)?);
            type Borrowed<'__pin> = ($(&'__pin mut $Plain,)* $($(&'__pin mut $Field,)*)?)
            where
                Self: '__pin;

            #[inline]
            fn is_at(&self) -> bool {
                ::core::matches!(self, Self::$Variant { .. })
            }

            #[inline]
            unsafe fn write(
                states: *mut Self,
                pinned: <Self as $crate::__private::Variant<$index>>::Pinned,
                ($($plain,)* $($($field,)*)?): <Self as $crate::__private::Variant<$index>>::Fields,
            ) {
                $(let $future: $Future = pinned;)?
                // SAFETY: the caller vouches for the pointer.
                unsafe {
                    ::core::ptr::write(states, Self::$Variant { $($plain,)* $($future, $($field,)*)? });
                }
            }

            #[inline]
            unsafe fn parts<'__pin>(
                states: *mut Self,
            ) -> (
                *mut <Self as $crate::__private::Variant<$index>>::Pinned,
                <Self as $crate::__private::Variant<$index>>::Borrowed<'__pin>,
            )
            where
                Self: '__pin,
            {
                // SAFETY: the caller vouches for the pointer and the variant.
                match unsafe { &mut *states } {
                    Self::$Variant { $($plain,)* $($future, $($field,)*)? } => {
                        let pinned: *mut <Self as $crate::__private::Variant<$index>>::Pinned =
                            ::core::ptr::NonNull::dangling().as_ptr();
                        $(let pinned = $future;)?
                        (pinned, ($($plain,)* $($($field,)*)?))
                    }
                    // SAFETY: the caller vouches for the variant.
                    _ => unsafe { ::core::hint::unreachable_unchecked() },
                }
            }

            #[inline]
            unsafe fn read(states: *mut Self) -> <Self as $crate::__private::Variant<$index>>::Fields {
                // SAFETY: the caller vouches for the pointer and the variant.
                match unsafe { &mut *states } {
                    Self::$Variant { $($plain,)* $($($field,)*)? .. } => {
                        // SAFETY: the caller reads no field twice.
                        (
                            $(unsafe { ::core::ptr::read($plain) },)*
                            $($(unsafe { ::core::ptr::read($field) },)*)?
                        )
                    }
                    // SAFETY: the caller vouches for the variant.
                    _ => unsafe { ::core::hint::unreachable_unchecked() },
                }
            }
        }
    };
}

/// The type of the pinned field, if there is one.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_pinned {
    () => {
        ()
    };
    ($Future:ty) => {
        $Future
    };
}

/// `F` as a bound sees it: `Unpin` if `F` is, and never known too early to be so.
#[derive(Debug)]
pub struct Under<'a, F>(PhantomData<(&'a (), F)>);
