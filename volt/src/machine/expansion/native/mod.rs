//! The native layout: the compiler's own coroutine, in a struct with a name.
//!
//! ```text
//!  struct Fetch<'a>                                   fn item  __fetch(late) -> coroutine
//! ┌──────────────────────────────────────┐
//! │ progress   site: which await, or the │◀───────────────┐
//! │            stage   inner: where in   │                │ Late: one pointer,
//! │            the machine it lies       │                │ captured by the coroutine
//! ├──────────────────────────────────────┤                │ and copied into each `TracedAwait`
//! │ storage    the arguments, typed      │  start         │
//! │            the coroutine's bytes     │  running ──────┘
//! └──────────────────────────────────────┘
//! ```
//!
//! 1. The function stores its arguments and returns the machine. Nothing runs.
//! 2. The first poll moves the arguments to its own stack, makes the coroutine in their place and
//!    polls it. The coroutine's first statements read the arguments through [`ArgumentsPtr`], but for those that it is made of: the
//!    receiver, and all where that is `self` by value. From then on they are its locals, dropped in the order of an
//!    `async fn`.
//! 3. Each `.await` in sight notes its site in [`Progress`] and is wrapped in [`TracedAwait`]. That notes where the awaited
//!    future lies, and polls it with the caller's own context.
//! 4. Between polls a trace reads the site and goes on in the awaited future, if that is a machine.
//!
//! A function without type parameters has its bytes [`Inline`]: size and alignment of the coroutine
//! are constants of the machine's type. With type parameters a constant cannot name them on stable
//! Rust. There the coroutine's type is a parameter of the machine's, behind those of the function:
//! [`GenericStorage`]. Where the machine has to be named, the coroutine is [`Boxed`], or `Inline` with a number
//! of bytes that the user gives.
//!
//! # Invariants
//!
//! - N1: the stage says what the storage holds: the arguments at the start, a coroutine from the
//!   first poll on. One constant of the machine knows the type of its coroutine, and keeps the functions that make,
//!   poll and drop it ([`CoroutineVtable`]). The poll and the drop of a machine in a box name one function.
//! - N2: a machine that was polled stays where it is until it is dropped, by the contract of `Pin`.
//!   So the pointer in `ArgumentsPtr` and the offset in `Progress` stay good.
//! - N3: `Progress` and storage are only touched through raw pointers and cells; nothing ever
//!   makes a reference to the bytes of a coroutine except to poll or drop it.
//! - N4: an `TracedAwait` that is not awaited by the coroutine itself ([`NestedAwait`]) takes its offset back
//!   when it is dropped; one that is cannot be dropped while the coroutine waits elsewhere, because
//!   the next await of the coroutine notes its own site first, and with that that there is no offset. So the offset
//!   is always that of a future of the site's type. What lies around an `NestedAwait` notes its site at each poll, too.
//! - N5: `ArgumentsPtr` carries the lifetime `'m`. The coroutine's function is generic over it, so what holds
//!   a `ArgumentsPtr` cannot leave the coroutine. Nor can an [`TracedAwait`], which carries none: it is made of a `ArgumentsPtr`, whose name
//!   expanded code alone can say, and awaited in the same expression.
//! - N6: a machine with type parameters is awaited by its storage alone, and tells its caller once, at its first
//!   poll, where it lies ([`GenericMachine`]). So it is awaited by the caller's coroutine itself, where it was made.
//! - N7: a machine is `repr(C)` and begins with its storage. An `Inline` begins with its notes, with the slot behind them
//!   ([`InlineMachine`]); an `GenericStorage` with its tag, and the notes behind that ([`HeaderAccessor`]).

mod position;
mod coroutine;
mod storage;
mod await_point;
mod native_macros;

pub use crate::__volt_native_boxed as native_boxed;
pub use crate::__volt_native_generic as native_generic;
pub use crate::__volt_native_inline as native_inline;
pub use crate::__volt_native_machine as machine;
pub use crate::__volt_native_marker as impl_marker;
pub use crate::__volt_native_measure as measure_coroutine;
pub use crate::__volt_native_send as impl_send;
pub use crate::__volt_native_start_generic as start_generic;
pub use crate::__volt_needs_alloc as needs_alloc;
pub use crate::__volt_take_arguments as take_arguments;
pub use await_point::{
    AnyFuture, AwaitOperand, BeginAwait, GenericMachine, NestedAwait, NotAFuture, TracedAwait,
    await_storage,
};
pub(crate) use coroutine::copy_zero_sized;
pub use coroutine::{
    AutoTraitAnswer, AutoTraits, CoroutineCapture, CoroutineInfo, CoroutineVtable, False,
    HasMarker, HeldAcrossAwait, Measured, NeitherProbe, SendOrLocal, SendProbe, SendProof,
    SendSyncProbe, SyncProbe, True, align, are_arguments_send, arguments_must_be_send,
    auto_traits_of, coroutine_must_be_send, is_send, is_sync, measure, measure_with_auto_traits,
    probe_auto_traits, probe_type, size, size_of_output,
};
pub(crate) use position::BuildTables;
pub use position::{
    ArgumentsPtr, CapturingFn, CoroutineFn, CoroutineInput, InputFn, MachineStage, NativeRows,
    PositionStore, Progress, ReceiveArguments, Table, Untraced, UntracedCapture, tables,
};
pub use storage::{
    Align, Aligned, CoroutineStorage, GenericHeader, GenericStorage, HeaderAccessor, Inline,
    InlineMachine, MakeCoroutine, NestedStorage, is_terminated, layout, new_inline, poll_inline,
    register_on_first_poll, state, trace, write_coroutine,
};
#[cfg(feature = "alloc")]
pub use storage::{Boxed, EndsBoxed};

/// The traits by which an await is marked, for a body that has one.
pub mod awaits {
    pub use super::{AnyFuture as _, BeginAwait as _, GenericMachine as _, NotAFuture as _};
}

#[cfg(all(test, feature = "rt", not(loom)))]
mod tests;
