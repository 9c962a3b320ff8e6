//! The future around a machine that is lent something.
//!
//! Its invariants are those of `states`: the machine in it is pinned as it is, and nothing else is.

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

        $(#[$common])*
        impl<$($parameters)*> $Lender<$($arguments)*> where $($bounds)* {
            /// The machine, and a borrow of everything it is lent.
            #[inline]
            #[allow(clippy::type_complexity, reason = "a reference for each thing lent")]
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

            #[allow(drop_bounds, reason = "this is the question asked")]
            trait MustNotDrop {}
            #[allow(drop_bounds, reason = "this is the question asked")]
            impl<T: ::core::ops::Drop> MustNotDrop for T {}
            $(#[$common])*
            impl<$($parameters)*> MustNotDrop for $Lender<$($arguments)*> where $($bounds)* {}
        };
    };
}
