//! The native layout: the compiler's own coroutine, in a struct with a name.
//!
//! ```text
//!  struct Fetch<'a>                                   fn item  __fetch(ptr) -> coroutine
//! ┌──────────────────────────────────────┐
//! │ progress   site: which await, or the │◀───────────────┐
//! │            stage   inner: where in   │                │ ArgumentsPtr: one pointer, which
//! │            the machine it is         │                │ the first poll passes, and each
//! ├──────────────────────────────────────┤                │ await to its own first poll
//! │ storage    the arguments, typed      │  start         │
//! │            the coroutine's bytes     │  running ──────┘
//! └──────────────────────────────────────┘
//! ```
//!
//! 1. The function stores its arguments and returns the machine. Nothing runs.
//! 2. The first poll moves the arguments to its own stack, creates the coroutine in their place and
//!    polls it. The coroutine's first statements read the arguments through [`ArgumentsPtr`]. Only
//!    a receiver, and all arguments of a method with `self` by value, are passed when the coroutine
//!    is created. From then on the arguments are the coroutine's locals, dropped in the order of an
//!    `async fn`.
//! 3. Each `.await` that the macro sees records its site in [`Progress`] and is wrapped in a
//!    [`TracedAwait`]. Its first poll records the offset of the awaited future. Each poll passes
//!    the caller's own context.
//! 4. Between polls a trace reads the site and continues in the awaited future, if that is a
//!    machine.
//!
//! The storage of a function without type parameters is [`Inline`]: size and alignment of the
//! coroutine are constants of the machine's type. With type parameters a constant cannot name them
//! on stable Rust. Then the coroutine's type is the last parameter of the machine's type
//! ([`CompactCoroutine`], or [`GenericStorage`] if the machine records its position). If the
//! machine must have a nameable type, the coroutine is [`Boxed`], or `Inline` with a number of
//! bytes that the user sets.
//!
//! # Invariants
//!
//! - N1: the stage determines the contents of the storage: the arguments at the start, a coroutine
//!   from the first poll on. One constant of the machine knows the type of its coroutine, and has
//!   the functions that create, poll and drop it ([`CoroutineVtable`]). The poll and the drop of a
//!   boxed machine name one function.
//! - N2: a machine that was polled stays at its address until it is dropped, by the contract of
//!   `Pin`. So the pointer in `ArgumentsPtr` and the offset in `Progress` stay valid.
//! - N3: `Progress` and storage are accessed only through raw pointers and cells. Nothing creates a
//!   reference to the bytes of a coroutine except to poll or drop it.
//! - N4: a `TracedAwait` that is not awaited by the coroutine itself ([`NestedAwait`]) clears its
//!   offset when it is dropped. A `TracedAwait` that is awaited by the coroutine cannot be dropped
//!   while the coroutine waits elsewhere. The next await of the coroutine records its own site
//!   first, and clears the offset. A macro may await in between, unknown to the attribute: each
//!   marked await records that it is pending, and the poll of the machine clears the offset of any
//!   other one. So the offset is always that of a future of the site's type. A future around a
//!   `NestedAwait` records its site at each poll, too.
//! - N5: `ArgumentsPtr` has the lifetime `'m`, and the coroutine's function is generic over it. So
//!   a value with an `ArgumentsPtr` cannot leave the coroutine. Nor can a [`TracedAwait`], which
//!   has no lifetime: it is made from an `ArgumentsPtr`, which only expanded code can name, and it
//!   is awaited in the same expression.
//! - N6: a machine with type parameters is awaited by its storage alone ([`GenericMachine`]), so
//!   the awaiting coroutine awaits it in the place where it was created. Its first poll passes its
//!   address to the awaiting machine, or leaves a note for that.
//! - N7: a machine is `repr(C)` and begins with its storage. An `Inline` begins with its position,
//!   followed by the slot ([`InlineMachine`]). A `GenericStorage` begins with its tag, followed by
//!   the position ([`HeaderAccessor`]). A [`CompactCoroutine`] is its coroutine.
//! - N8: with the feature `std` a pointer is passed in a thread-local, which is null otherwise. The
//!   poll that creates the coroutine sets it, and the coroutine's first statement takes it, or the
//!   [`StartGate`] after that. The code that makes a `TracedAwait` sets it, and the first poll of
//!   that takes it. No other code runs in between: patterns of parameters call nothing, and an
//!   await polls its operand at once.
//! - N9: a [`PinnedLocal`] is declared after the value that `pin!` stores in the same block, and
//!   named in that block only. No code can move or drop that value before the block ends. So the
//!   value is live as long as an await that stores its address ([`DormantLocal`]). The macro knows
//!   `pin!` by its path. A bare `pin!` is imported once more from `core` ([`pins`]), and another
//!   macro of that name is then an error.
//! - N10: an `async` block of a body is a [`compact_block`], or a [`traced_block`] if a macro of it
//!   has branches. A traced block begins with its progress. Its first statement takes the pointer
//!   to that progress, and only expanded code can name the pointer. So N2, N3 and N4 hold for a
//!   block and its awaits, too.
//! - N11: a [`MacroBranch`] is an argument of a macro of tokio or futures, which stores it in the
//!   coroutine, polls it there and drops it in the same expression. The macro knows these macros by
//!   their paths. A branch borrows the local [`MacroBranches`] of its statement. The first poll
//!   writes its address to a slot of that local, and its drop clears the slot. The progress has the
//!   offset of the local only while a slot is in use. So a trace finds only live branches.
//! - N12: a [`CompactCoroutine`] is polled once before it is pinned. The poll ends at a
//!   `StartGate`, which has no fields, and before it the coroutine has only moved its arguments. So
//!   no reference into the coroutine is live, and it can be moved. No other code polls it before it
//!   is pinned.

#[cfg(feature = "std")]
mod argument_bytes;
mod position;
mod coroutine;
mod storage;
mod await_site;
mod nested_await;
mod traced_await;
#[cfg(feature = "std")]
mod compact_await;
#[cfg(not(feature = "std"))]
use traced_await as compact_await;
mod compact;
mod await_point;
mod pinned;
mod native_macros;

pub use crate::__volt_captured_pointer as captured_pointer;
pub use crate::__volt_native_block_table as block_table;
pub use crate::__volt_native_boxed as native_boxed;
pub use crate::__volt_native_compact as native_compact;
pub use crate::__volt_native_compact_generic as native_compact_generic;
pub use crate::__volt_native_generic as native_generic;
pub use crate::__volt_native_inline as native_inline;
pub use crate::__volt_native_machine as machine;
pub use crate::__volt_native_marker as impl_marker;
pub use crate::__volt_native_measure as measure_coroutine;
pub use crate::__volt_native_send as impl_send;
pub use crate::__volt_native_start_compact as start_compact;
pub use crate::__volt_native_start_generic as start_generic;
pub use crate::__volt_needs_alloc as needs_alloc;
pub use crate::__volt_receive_arguments as receive_arguments;
pub use crate::__volt_suspend_slots as suspend_slots;
pub use crate::__volt_take_arguments as take_arguments;
pub use await_point::{
    AnyFuture, AwaitOperand, BeginAwait, GenericMachine, NotAFuture, await_in_compact,
    await_storage,
};
pub(crate) use compact::unknown_tag;
pub use compact::{
    CompactAccessor, CompactCoroutine, CompactMachine, CompactStorage, SuspendTable, compact_block,
    compact_block_ptr, new_compact, poll_compact,
};
#[cfg(feature = "std")]
pub use compact::{CompactBlock, CoroutineAccessor};
#[cfg(feature = "std")]
pub use compact_await::CompactAwait;
#[cfg(feature = "std")]
pub(crate) use coroutine::byte_of_tag;
pub(crate) use coroutine::copy_zero_sized;
pub use coroutine::{
    AssumeFuture, AutoTraitAnswer, AutoTraits, CopyOf, CoroutineCapture, CoroutineInfo,
    CoroutineVtable, False, HasMarker, HeldAcrossAwait, HeldCopy, HeldValues, IsKept, KeepOther,
    KeepValue, Kept, Measured, NeitherProbe, NoCopy, OtherValue, OwnFuture, Replaced, SendOrLocal,
    SendProbe, SendProof, SendSyncProbe, SyncProbe, SyncProof, True, ValueOf, align,
    are_arguments_send, arguments_must_be_send, auto_traits_of, coroutine_must_be_send, discard,
    discard_unused, is_send, is_sync, measure, measure_with_auto_traits, output_of,
    probe_auto_traits, probe_type, size, size_of_output, value_of,
};
pub use nested_await::NestedAwait;
pub use pinned::{
    BranchLink, DormantLocal, FutureBeside, FutureProbe, MachineProbe, MacroBranch, MacroBranches,
    OperandBeside, OtherProbe, PinnedLocal, PinnedProbe, TraceBeside, into_future, pinned_probe,
};
pub(crate) use position::BuildTables;
pub use position::{
    ArgumentsPtr, CapturingFn, CoroutineFn, CoroutineInput, InputFn, InputKind, MachineStage,
    NativeRows, PositionStore, Progress, ProgressCapture, ReceiveArguments, Table, TracedKind,
    Untraced, UntracedCapture, tables,
};
pub use position::{Compact, CompactCapture, CompactPtr};
#[cfg(feature = "std")]
pub use position::{HeldArguments, StartArguments, StartGate};
#[cfg(feature = "std")]
pub use storage::TracedBlock;
pub use storage::{
    Align, Aligned, CoroutineStorage, GenericHeader, GenericStorage, HeaderAccessor, Inline,
    InlineMachine, MakeCoroutine, NestedStorage, OpaqueField, block_ptr, inspect, is_terminated,
    layout, new_inline, poll_inline, register_on_first_poll, state, trace, traced_block,
    write_coroutine,
};
#[cfg(feature = "alloc")]
pub use storage::{Boxed, EndsBoxed};
pub use traced_await::TracedAwait;
#[cfg(feature = "std")]
pub use volt_inspect::machine::SuspendSlot;

/// Traits that the expansion of an await calls, for a body that has one.
pub mod awaits {
    pub use super::{AnyFuture as _, BeginAwait as _, GenericMachine as _, NotAFuture as _};
}

/// The macro `pin!`, for a body that uses it by its bare name. If that name means another macro,
/// the import makes it ambiguous to the compiler (E0659).
pub mod pins {
    pub use core::pin::pin;
}

#[cfg(all(test, feature = "rt", not(loom)))]
mod tests;
