//! `Brand`: the machine to which a value in a coroutine belongs.

/// The lifetime of the machine, and the type of its arguments.
pub(crate) type Brand<'m, A> = (fn(&'m ()) -> &'m (), fn() -> A);

/// Implements `Clone`, `Copy` and `Debug` for a type with a brand. A derived implementation would
/// have bounds on the arguments.
macro_rules! copy_branded {
    ($Branded:ident) => {
        impl<A> Clone for $Branded<'_, A> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<A> Copy for $Branded<'_, A> {}

        impl<A> core::fmt::Debug for $Branded<'_, A> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($Branded)).finish_non_exhaustive()
            }
        }
    };
}

pub(super) use copy_branded;
