//! What is asked of a coroutine that nobody can name: size, alignment, `Send` and `Sync`.
//!
//! A constant function reads the coroutine from the type of the function that makes it: size and
//! alignment are constants. A closure asks for `Send` and `Sync` by the order in which methods are
//! found, in an `impl` that is generic over all lifetimes of the machine. The answer is a type,
//! which the closure returns.
//!
//! The method asked for is that of [`SendSyncProbe`] where both hold, and further on the way of its `Deref` those for the rest.

use core::future::Future;
use core::marker::PhantomData;
use core::ops::Deref;

use super::coroutine_vtable::{CoroutineCapture, CoroutineVtable};

/// The parts of a machine that only its own coroutine tells.
///
/// Few of them are written for each machine: each constant is a body that the compiler checks by itself.
///
/// The compiler asks an outer machine before those that it awaits, and each layout that is asked for within
/// another one counts towards its recursion limit. So [`measure`] is given the auto traits first, which asks the
/// awaited machines, and their answer comes with their layout: the innermost one is known first.
///
/// # Safety
///
/// Whatever its lifetimes, the constant is that of one function, whose coroutine has the machine's output. The coroutine
/// takes each argument once, and it does so before its first await.
pub unsafe trait CoroutineInfo {
    /// All of them. The name stands in the error where a machine awaits itself by way of others: that is a circle of the
    /// compiler's own questions.
    const RECURSIVE_MACHINE_NEEDS_BOX_PIN: Measured;
    /// What is done with the coroutine.
    const VTABLE: CoroutineVtable = Self::RECURSIVE_MACHINE_NEEDS_BOX_PIN.vtable;
}

/// What a coroutine tells of itself.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Its size. With the alignment beside it: the compiler would run a function of `Layout` to tell either.
    pub size: usize,
    /// Its alignment.
    pub align: usize,
    /// Whether it is `Send`, and `Sync`.
    pub auto: AutoTraits,
    /// What is done with it.
    pub vtable: CoroutineVtable,
}

/// Which auto traits a coroutine has.
#[derive(Clone, Copy, Debug)]
pub struct AutoTraits {
    /// Whether it is `Send`.
    pub send: bool,
    /// Whether it is `Sync`.
    pub sync: bool,
}

impl AutoTraits {
    /// None of them.
    pub const NONE: Self = Self {
        send: false,
        sync: false,
    };
}

/// What is known of the coroutine that a function returns, which is never called. Nobody asks for its auto traits.
#[must_use]
pub const fn measure<C: CoroutineCapture, R: Future, K: FnOnce(C) -> R + Copy>(
    make: &K,
) -> Measured {
    Measured {
        size: size_of::<R>(),
        align: align_of::<R>(),
        auto: AutoTraits::NONE,
        vtable: CoroutineVtable::of_fn(make),
    }
}

/// The parts of a coroutine, with the auto traits that a closure asks for. Neither is called:
/// `make` makes the coroutine, and the output type of the closure holds the answers.
///
/// The first statement of the closure diverges, so the compiler type-checks the question and does
/// not borrow-check it. The compiler cannot prove `Send` for some coroutines that are `Send`, and
/// reports that by borrow checking (rust-lang/rust#110338, #155880).
#[must_use]
pub const fn measure_with_auto_traits<S, Y, C, R, K, Q, W>(make: &K, _: &W) -> Measured
where
    S: AutoTraitAnswer,
    Y: AutoTraitAnswer,
    C: CoroutineCapture,
    R: Future,
    K: FnOnce(C) -> R + Copy,
    W: FnOnce() -> ((S, Y), Q),
{
    Measured {
        size: size_of::<R>(),
        align: align_of::<R>(),
        auto: auto_traits::<S, Y>(),
        vtable: CoroutineVtable::of_fn(make),
    }
}

/// The auto traits that a closure asks for, which is never called.
#[must_use]
pub const fn auto_traits_of<
    S: AutoTraitAnswer,
    Y: AutoTraitAnswer,
    Q,
    W: FnOnce() -> ((S, Y), Q),
>(
    _: &W,
) -> AutoTraits {
    auto_traits::<S, Y>()
}

const fn auto_traits<S: AutoTraitAnswer, Y: AutoTraitAnswer>() -> AutoTraits {
    AutoTraits {
        send: S::IS,
        sync: Y::IS,
    }
}

/// The coroutine's size in bytes, for the struct. That asks functions, as each constant on the way is a step that counts
/// towards the recursion limit, and a note in the error about a circle.
#[must_use]
pub const fn size<M: CoroutineInfo>() -> usize {
    M::RECURSIVE_MACHINE_NEEDS_BOX_PIN.size
}

/// The coroutine's alignment.
#[must_use]
pub const fn align<M: CoroutineInfo>() -> usize {
    M::RECURSIVE_MACHINE_NEEDS_BOX_PIN.align
}

/// Whether the coroutine is `Send`. The marker has both answers as they are: one number of which a trait tells the
/// marker would be asked for where a body that awaits itself in a box is still being checked.
#[must_use]
pub const fn is_send<M: CoroutineInfo>() -> bool {
    M::RECURSIVE_MACHINE_NEEDS_BOX_PIN.auto.send
}

/// Whether the coroutine is `Sync`.
#[must_use]
pub const fn is_sync<M: CoroutineInfo>() -> bool {
    M::RECURSIVE_MACHINE_NEEDS_BOX_PIN.auto.sync
}

/// The size of what a function returns, which is never called.
#[must_use]
pub const fn size_of_output<A, R, F: FnOnce(A) -> R>(_: &F) -> usize {
    size_of::<R>()
}

/// Asks for the auto traits of the coroutine that a function returns, and of the arguments that the
/// machine holds before.
#[must_use]
pub fn probe_auto_traits<C: CoroutineCapture, R, K: FnOnce(C) -> R + Copy>(
    made: K,
) -> SendSyncProbe<(R, C::Arguments), K> {
    probe_type(made)
}

/// Asks for the auto traits of a type, and gives what stands for it back.
pub fn probe_type<R, K: Copy>(made: K) -> SendSyncProbe<R, K> {
    let made = NeitherProbe(made, PhantomData);
    SendSyncProbe(SendProbe(SyncProbe(made)))
}

/// The marker of a machine: a type that is `Send` and `Sync` where the machine is.
///
/// A coroutine may hold its own machine again: in a box, a list, or a set of futures. The question
/// for the auto traits of the coroutine then asks the machine, and the machine asks the constant
/// with that question: a cycle, E0391. So the constant stands in an `impl` with the bound `for<'x>
/// Machine: Marked<'x>`. The bound holds, and the compiler prefers it to the implementation. Within
/// the `impl` the type `Marker` of the own machine therefore stays unknown, and the machine is not
/// `Send`. So the question ends there, and the answer for a coroutine that holds its own machine is
/// no.
///
/// The lifetime only makes the bound one over all lifetimes: the compiler checks other bounds
/// without parameters by the implementation.
pub trait HasMarker<'x> {
    /// The marker.
    type Marker;
    /// The auto traits of the arguments, where a machine is declared to be `Send` if its arguments
    /// are.
    const ARGUMENTS: AutoTraits = AutoTraits::NONE;
}

/// Returns `true` if the arguments of a machine are `Send`.
#[must_use]
pub const fn are_arguments_send<M: for<'x> HasMarker<'x>>() -> bool {
    <M as HasMarker<'static>>::ARGUMENTS.send
}

/// A coroutine that may go to other threads, as its machine says.
#[diagnostic::on_unimplemented(
    message = "this state machine cannot be sent between threads",
    note = "a machine that boxes futures or has type parameters is taken for `Send`; write \
            `#[volt::state_machine(local)]` if it stays on its thread"
)]
pub trait SendOrLocal {}

impl<T: Send> SendOrLocal for T {}

/// Asks that what a function returns may go to other threads, as the option `send` says.
pub fn coroutine_must_be_send<A, R: SendOrLocal>(_: impl FnOnce(A) -> R) {}

/// The proof that a machine is `Send` if its arguments are: nothing is proved if they are not.
#[derive(Debug)]
pub struct SendProof<const IS: bool>;

impl SendProof<true> {
    /// Requires that what boxes a future is `Send`. The compiler shows the line with the bound.
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

/// Asks that arguments may go to other threads.
pub fn arguments_must_be_send<A: SendOrLocal>() {}

/// The answer yes.
#[derive(Debug)]
pub struct True;

/// The answer no.
#[derive(Debug)]
pub struct False;

/// An answer.
pub trait AutoTraitAnswer {
    /// Whether it is yes.
    const IS: bool;
}

impl AutoTraitAnswer for True {
    const IS: bool = true;
}

impl AutoTraitAnswer for False {
    const IS: bool = false;
}

/// Both questions at once, for which the compiler mostly looks at the coroutine once:
/// `asked_of(f).__volt_auto()`. It takes the
/// first method whose bounds hold: that of the type itself, or of what that leads to. No trait has to be in scope.
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
            /// Says which, and what was asked.
            #[must_use]
            pub fn __volt_auto(self) -> (($Send, $Sync), K) {
                (($Send, $Sync), self.made())
            }
        }

        impl<T, K: Copy> $If<T, K> {
            fn made(self) -> K {
                self.0.made()
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
    /// The answers where both hold.
    SendSyncProbe else SendProbe where [Send + Sync] is (True, True)
    /// The answers where the first holds.
    SendProbe else SyncProbe where [Send] is (True, False)
    /// The answers where the second holds.
    SyncProbe else NeitherProbe where [Sync] is (False, True)
}

/// What was asked, and the answers where none holds.
#[derive(Debug)]
pub struct NeitherProbe<T, K>(K, PhantomData<fn() -> T>);

impl<T, K: Copy> Clone for NeitherProbe<T, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, K: Copy> Copy for NeitherProbe<T, K> {}

impl<T, K: Copy> NeitherProbe<T, K> {
    /// Says so.
    #[must_use]
    pub fn __volt_auto(self) -> ((False, False), K) {
        ((False, False), self.0)
    }

    fn made(self) -> K {
        self.0
    }
}

/// A marker that is `Send` and `Sync` where its numbers say so. Its name stands in the error where one
/// is missing: what the coroutine keeps across an await is what is not `Send`.
#[derive(Debug)]
pub struct HeldAcrossAwait<const SEND: bool, const SYNC: bool>(PhantomData<*const ()>);

impl<const SEND: bool, const SYNC: bool> HeldAcrossAwait<SEND, SYNC> {
    /// The marker.
    pub const NEW: Self = Self(PhantomData);
}

#[diagnostic::do_not_recommend]
// SAFETY: a marker without data; it says of the coroutine beside it what `CoroutineInfo` has asked.
unsafe impl<const SYNC: bool> Send for HeldAcrossAwait<true, SYNC> {}
#[diagnostic::do_not_recommend]
// SAFETY: as above.
unsafe impl<const SEND: bool> Sync for HeldAcrossAwait<SEND, true> {}
