//! Implementations for the wrappers of this crate: futures around one other future.

/// Implements [`Wrapper`] for a wrapper with the inner future in its field `$future`.
macro_rules! wrapper {
    ($Wrapper:ident<$F:ident> { $future:ident }) => {
        // SAFETY: it is a field of this type.
        unsafe impl<$F> $crate::machine::Wrapper for $Wrapper<$F> {
            type Inner = $F;

            const OFFSET: usize = {
                let _of_this_type: fn(&$Wrapper<$F>) -> &$F = |wrapper| &wrapper.$future;
                ::core::mem::offset_of!($Wrapper<$F>, $future)
            };
        }
    };
}

pub(crate) use wrapper;

/// Implements [`Wrapper`] and `StateMachine` for a wrapper with a machine in its field `$future`.
macro_rules! wrapper_machine {
    ($Wrapper:ident<$F:ident> { $future:ident }) => {
        $crate::machine::wrapper!($Wrapper<$F> { $future });

        impl<$F: $crate::machine::StateMachine> $crate::machine::StateMachine for $Wrapper<$F> {
            const NAME: &'static str = $F::NAME;
            const STATES: &'static [$crate::machine::State] = $F::STATES;
            const TRANSITIONS: &'static [$crate::machine::Transition] = $F::TRANSITIONS;
            const NATIVE_SIZE: Option<usize> = $F::NATIVE_SIZE;

            fn state(&self) -> &'static $crate::machine::State {
                self.$future.state()
            }

            fn trace(&self, visit: &mut dyn FnMut(&'static $crate::machine::State)) {
                self.$future.trace(visit);
            }
        }
    };
}

pub(crate) use wrapper_machine;

/// Implements `Register` for a machine that a test writes by hand.
#[cfg(test)]
macro_rules! impl_register {
    ($Machine:ident [$($parameters:tt)*] [$($arguments:tt)*]) => {
        // SAFETY: the implementation has no bounds.
        unsafe impl<$($parameters)*> $crate::machine::Register for $Machine<$($arguments)*> {}
    };
}

#[cfg(test)]
pub(crate) use impl_register;
