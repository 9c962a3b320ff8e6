//! Size, alignment, `Send` and `Sync` of a coroutine whose type has no name.
//!
//! A constant function reads the coroutine from the return type of the function that creates it, so
//! size and alignment are constants. A closure determines `Send` and `Sync` by autoref
//! specialization, in an `impl` that is generic over all lifetimes of the machine. The result is a
//! type, which the closure returns.
//!
//! The probe is a [`SendSyncProbe`], whose method applies if both traits hold. Its `Deref` leads to
//! the probes of the other cases.

use core::future::Future;
use core::marker::PhantomData;
use core::ops::Deref;

#[cfg(feature = "std")]
use super::compact_layout::CompactLayout;
use super::coroutine_vtable::{CoroutineCapture, CoroutineVtable};

/// The properties of a machine that depend on its coroutine.
///
/// Each machine has few such constants, because the compiler checks each one as a body of its own.
///
/// The compiler evaluates an outer machine before the machines that it awaits, and each layout
/// within another one counts towards its recursion limit. So [`measure_with_auto_traits`] evaluates
/// the auto traits first. They require the layouts of the awaited machines, so the innermost layout
/// is known first.
///
/// # Safety
///
/// Whatever its lifetimes, the constant is that of one function, whose coroutine has the machine's
/// output. The coroutine moves each argument out once, before its first await.
pub unsafe trait CoroutineInfo {
    /// All properties. The compiler's error shows this name if a machine awaits itself through
    /// other machines, because that is a cycle of its queries.
    const RECURSIVE_MACHINE_NEEDS_BOX_PIN: Measured;
    /// The functions that create, poll and drop the coroutine.
    const VTABLE: CoroutineVtable = Self::RECURSIVE_MACHINE_NEEDS_BOX_PIN.vtable;
}

/// The properties of a coroutine.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// The size of its memory in bytes. Size and alignment are two fields, because the compiler
    /// would evaluate a function to read either from a `Layout`.
    pub size: usize,
    /// The alignment of its memory in bytes.
    pub align: usize,
    /// The layout of its memory.
    #[cfg(feature = "std")]
    pub(crate) layout: CompactLayout,
    /// Its auto traits.
    pub auto: AutoTraits,
    /// The functions that create, poll and drop it.
    pub vtable: CoroutineVtable,
}

/// The auto traits of a coroutine.
#[derive(Clone, Copy, Debug)]
pub struct AutoTraits {
    /// `true` if it is `Send`.
    pub send: bool,
    /// `true` if it is `Sync`.
    pub sync: bool,
}

impl AutoTraits {
    /// No auto traits.
    pub const NONE: Self = Self {
        send: false,
        sync: false,
    };

    /// Returns the auto traits of a machine, from those of two copies of its body: one in which the
    /// own future is `Send` alone, and one in which it is also `Sync`. If both assumptions hold of
    /// the second copy, they hold of the machine.
    #[must_use]
    pub const fn of_copies(of_send: Self, of_both: Self) -> Self {
        if of_both.send && of_both.sync {
            of_both
        } else {
            of_send
        }
    }
}

/// Returns the properties of the coroutine that a function creates, without its auto traits. The
/// function is not called.
#[must_use]
pub const fn measure<C: CoroutineCapture, R: Future, K: FnOnce(C) -> R + Copy>(
    make: K,
) -> Measured {
    measured::<C, R, K>(&make, AutoTraits::NONE)
}

/// Returns the properties of a coroutine, with the auto traits that a closure determines. Neither
/// is called: `make` creates the coroutine, and the output type of the closure has the results.
///
/// The first statement of the closure diverges, so the compiler type-checks the probe and does not
/// borrow-check it. The compiler cannot prove `Send` for some coroutines that are `Send`, and
/// reports that by borrow checking (rust-lang/rust#110338, #155880).
#[must_use]
pub const fn measure_with_auto_traits<S, Y, C, R, K, Q, W>(make: K, _: W) -> Measured
where
    S: AutoTraitAnswer,
    Y: AutoTraitAnswer,
    C: CoroutineCapture,
    R: Future,
    K: FnOnce(C) -> R + Copy,
    W: FnOnce() -> ((S, Y), Q) + Copy,
{
    measured::<C, R, K>(&make, auto_traits::<S, Y>())
}

#[cfg(feature = "std")]
const fn measured<C: CoroutineCapture, R: Future, K: FnOnce(C) -> R + Copy>(
    make: &K,
    auto: AutoTraits,
) -> Measured {
    let layout = layout_of::<C, R>();
    Measured {
        size: layout.size,
        align: layout.align,
        layout,
        auto,
        vtable: CoroutineVtable::of_fn(make),
    }
}

#[cfg(not(feature = "std"))]
const fn measured<C: CoroutineCapture, R: Future, K: FnOnce(C) -> R + Copy>(
    make: &K,
    auto: AutoTraits,
) -> Measured {
    Measured {
        size: size_of::<R>(),
        align: align_of::<R>(),
        auto,
        vtable: CoroutineVtable::of_fn(make),
    }
}

/// Returns the layout of the memory of a coroutine `R`.
#[cfg(feature = "std")]
const fn layout_of<C: CoroutineCapture, R>() -> CompactLayout {
    match C::COMPACT_FIELDS {
        Some(fields) => CompactLayout::of::<C::Arguments, R>(fields),
        None => CompactLayout::plain::<R>(),
    }
}

/// Returns the auto traits that a closure determines. The closure is not called.
#[must_use]
pub const fn auto_traits_of<
    S: AutoTraitAnswer,
    Y: AutoTraitAnswer,
    Q,
    W: FnOnce() -> ((S, Y), Q) + Copy,
>(
    _: W,
) -> AutoTraits {
    auto_traits::<S, Y>()
}

const fn auto_traits<S: AutoTraitAnswer, Y: AutoTraitAnswer>() -> AutoTraits {
    AutoTraits {
        send: S::IS,
        sync: Y::IS,
    }
}

/// Returns the coroutine's size in bytes, for the type of a field. The field calls functions,
/// because a further constant would count towards the recursion limit and add a note to the error
/// about a cycle.
#[must_use]
pub const fn size<M: CoroutineInfo>() -> usize {
    M::RECURSIVE_MACHINE_NEEDS_BOX_PIN.size
}

/// Returns the coroutine's alignment in bytes.
#[must_use]
pub const fn align<M: CoroutineInfo>() -> usize {
    M::RECURSIVE_MACHINE_NEEDS_BOX_PIN.align
}

/// Returns `true` if the coroutine is `Send`. The marker has both results as parameters. A number
/// from which a trait computed the marker would be evaluated while a body that awaits itself in a
/// box is still being checked.
#[must_use]
pub const fn is_send<M: CoroutineInfo>() -> bool {
    M::RECURSIVE_MACHINE_NEEDS_BOX_PIN.auto.send
}

/// Returns `true` if the coroutine is `Sync`.
#[must_use]
pub const fn is_sync<M: CoroutineInfo>() -> bool {
    M::RECURSIVE_MACHINE_NEEDS_BOX_PIN.auto.sync
}

/// Returns the size of a function's output in bytes. The function is not called.
#[must_use]
pub const fn size_of_output<A, R, F: FnOnce(A) -> R>(_: &F) -> usize {
    size_of::<R>()
}

/// Returns a probe for the auto traits of the coroutine that a function creates, and of the
/// arguments that the machine stores before.
#[must_use]
pub fn probe_auto_traits<C: CoroutineCapture, R, K: FnOnce(C) -> R + Copy>(
    value: K,
) -> SendSyncProbe<(R, C::Arguments), K> {
    probe_type(value)
}

/// Returns a probe for the auto traits of a type, with a value that its method returns.
pub fn probe_type<R, K: Copy>(value: K) -> SendSyncProbe<R, K> {
    let value = NeitherProbe(value, PhantomData);
    SendSyncProbe(SendProbe(SyncProbe(value)))
}

/// The marker of a machine: a type that is `Send` and `Sync` if the machine is.
///
/// A coroutine may contain its own machine again: in a box, a list, or a set of futures. The auto
/// traits of the coroutine then depend on the machine, and the machine depends on the constant that
/// determines them: a cycle, E0391. So the constant is in an `impl` with the bound `for<'x>
/// Machine: HasMarker<'x>`. The bound holds, and the compiler prefers it to the implementation.
/// Within the `impl` the type `Marker` of the own machine therefore stays unknown, and the machine
/// is not `Send`. So the cycle is broken, and a coroutine that contains its own machine is not
/// `Send`.
///
/// The lifetime makes the bound one over all lifetimes. The compiler would resolve a bound without
/// parameters by the implementation.
pub trait HasMarker<'x> {
    /// The marker.
    type Marker;
    /// The auto traits of the arguments, if a machine is declared to be `Send` if its arguments
    /// are.
    const ARGUMENTS: AutoTraits = AutoTraits::NONE;
}

/// The marker of the values that a machine holds across awaits. Documentation shows this name in
/// the bounds of `Send` and `Sync`.
pub type HeldValues<'x, M> = <M as HasMarker<'x>>::Marker;

/// Returns `true` if the arguments of a machine are `Send`.
#[must_use]
pub const fn are_arguments_send<M: for<'x> HasMarker<'x>>() -> bool {
    <M as HasMarker<'static>>::ARGUMENTS.send
}

/// A coroutine that may move to other threads, because its machine declares that.
#[diagnostic::on_unimplemented(
    message = "this state machine cannot be sent between threads",
    note = "a machine that boxes futures or has type parameters is taken for `Send`; write \
            `#[volt::state_machine(local)]` if it stays on its thread"
)]
pub trait SendOrLocal {}

impl<T: Send> SendOrLocal for T {}

/// Requires that the output of a function is `Send`, as the option `send` declares.
pub fn coroutine_must_be_send<A, R: SendOrLocal>(_: impl FnOnce(A) -> R) {}

/// The proof that a machine is `Send` if its arguments are. If `IS` is `false`, there is nothing to
/// prove.
#[derive(Debug)]
pub struct SendProof<const IS: bool>;

impl SendProof<true> {
    /// Requires that a boxed future is `Send`. The compiler shows the line with the bound.
    pub fn boxed_future_must_be_send_or_use_option_local<A, R>(_: impl FnOnce(A) -> R)
    where
        R: SendOrLocal, // if it stays on its thread, write `#[volt::state_machine(local)]`
    {
    }
}

impl SendProof<false> {
    /// Requires nothing.
    pub fn boxed_future_must_be_send_or_use_option_local<A, R>(_: impl FnOnce(A) -> R) {}
}

/// Requires that arguments are `Send`.
pub fn arguments_must_be_send<A: SendOrLocal>() {}

/// `true` as a type.
#[derive(Debug)]
pub struct True;

/// `false` as a type.
#[derive(Debug)]
pub struct False;

/// A `bool` as a type.
pub trait AutoTraitAnswer {
    /// The value.
    const IS: bool;
}

impl AutoTraitAnswer for True {
    const IS: bool = true;
}

impl AutoTraitAnswer for False {
    const IS: bool = false;
}

/// Defines the probes of both traits at once, because the compiler mostly checks the coroutine once
/// for that. `probe_type(f).__volt_auto()` calls the first method whose bounds hold: that of the
/// type itself, or of the types to which it dereferences. No trait has to be in scope.
macro_rules! send_sync_probes {
    ($($(#[$doc:meta])* $If:ident else $Else:ident where [$($bounds:tt)*] is ($Send:ident, $Sync:ident))*) => { $(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $If<T, K>($Else<T, K>);

        impl<T, K: Copy> Clone for $If<T, K> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T, K: Copy> Copy for $If<T, K> {}

        impl<T: $($bounds)*, K: Copy> $If<T, K> {
            /// Returns the traits, and the value of the probe.
            #[must_use]
            pub fn __volt_auto(self) -> (($Send, $Sync), K) {
                (($Send, $Sync), self.value())
            }
        }

        impl<T, K: Copy> $If<T, K> {
            fn value(self) -> K {
                self.0.value()
            }
        }

        impl<T, K> Deref for $If<T, K> {
            type Target = $Else<T, K>;

            fn deref(&self) -> &$Else<T, K> {
                &self.0
            }
        }
    )* };
}

send_sync_probes! {
    /// The probe of a type that is `Send` and `Sync`.
    SendSyncProbe else SendProbe where [Send + Sync] is (True, True)
    /// The probe of a type that is `Send` only.
    SendProbe else SyncProbe where [Send] is (True, False)
    /// The probe of a type that is `Sync` only.
    SyncProbe else NeitherProbe where [Sync] is (False, True)
}

/// The probe of a type without either trait.
#[derive(Debug)]
pub struct NeitherProbe<T, K>(K, PhantomData<fn() -> T>);

impl<T, K: Copy> Clone for NeitherProbe<T, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, K: Copy> Copy for NeitherProbe<T, K> {}

impl<T, K: Copy> NeitherProbe<T, K> {
    /// Returns the traits, and the value of the probe.
    #[must_use]
    pub fn __volt_auto(self) -> ((False, False), K) {
        ((False, False), self.0)
    }

    fn value(self) -> K {
        self.0
    }
}

/// A marker that is `Send` and `Sync` if its parameters are `true`. The compiler's error shows its
/// name if one is missing: a value that is held across an await is not `Send`.
#[derive(Debug)]
pub struct HeldAcrossAwait<const SEND: bool, const SYNC: bool>(PhantomData<*const ()>);

impl<const SEND: bool, const SYNC: bool> HeldAcrossAwait<SEND, SYNC> {
    /// The marker.
    pub const NEW: Self = Self(PhantomData);
}

#[diagnostic::do_not_recommend]
// SAFETY: a marker without data. Its parameters are the auto traits of the coroutine, from
// `CoroutineInfo`.
unsafe impl<const SYNC: bool> Send for HeldAcrossAwait<true, SYNC> {}
#[diagnostic::do_not_recommend]
// SAFETY: as above.
unsafe impl<const SEND: bool> Sync for HeldAcrossAwait<SEND, true> {}
