//! Implementations for the wrappers of this crate: futures around one other future.

/// Implements [`Wrapper`] for a wrapper with the inner future in its field `$future`.
macro_rules! wrapper {
    ($Wrapper:ident<$F:ident> { $future:ident }) => {
        ::volt_inspect::registrable!($Wrapper<$F>);

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

/// Implements `Inspect` for a wrapper with the inner future in its pinned field `$future`.
macro_rules! wrapper_inspect {
    ($Wrapper:ident<$F:ident> { $future:ident }) => {
        impl<$F> ::volt_inspect::Inspect for $Wrapper<$F> {
            fn inspect(
                self: ::core::pin::Pin<&mut Self>,
                inspector: &mut ::volt_inspect::Inspector<'_>,
            ) {
                let node = ::volt_inspect::Node::new(stringify!($Wrapper)).wrapper();
                inspector.node(&node, |inspector| inspector.future(self.project().$future));
            }
        }
    };
}

pub(crate) use wrapper_inspect;

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

            fn inspect_machine(
                self: ::core::pin::Pin<&mut Self>,
                inspector: &mut ::volt_inspect::Inspector<'_>,
            ) {
                ::volt_inspect::Inspect::inspect(self, inspector);
            }
        }
    };
}

pub(crate) use wrapper_machine;

/// Implements `Register` for a machine that a test writes by hand.
#[cfg(test)]
macro_rules! impl_register {
    ($Machine:ident [$($parameters:tt)*] [$($arguments:tt)*]) => {
        impl<$($parameters)*> ::volt_inspect::Inspect for $Machine<$($arguments)*> {
            fn inspect(
                self: ::core::pin::Pin<&mut Self>,
                inspector: &mut ::volt_inspect::Inspector<'_>,
            ) {
                let state = $crate::machine::StateMachine::state(&*self);
                inspector.node(&::volt_inspect::Node::of_state(state), |_| ());
            }
        }

        // SAFETY: the implementation has no bounds.
        unsafe impl<$($parameters)*> ::volt_inspect::Registrable for $Machine<$($arguments)*> {}

        // SAFETY: as above.
        unsafe impl<$($parameters)*> $crate::machine::Register for $Machine<$($arguments)*> {}
    };
}

#[cfg(test)]
pub(crate) use impl_register;
