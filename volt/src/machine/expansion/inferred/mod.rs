//! The explicit layout with inferred fields: what lives across an await, in bytes of the machine.
//!
//! ```text
//!  struct Fetch<'a>          fn advance<'m, M>(..)                      never run: probe(&|..| { .. })
//! ┌────────────────┐        ┌────────────────────────────────┐         ┌────────────────────────────┐
//! │ bytes          │        │ slot_0 = Slot::<_, .., 24, 8>  │◀────────│ t0.is(&page): 24, 8, drops │
//! │ ┌────────────┐ │◀───────│ slot_1 = Slot::<_, .., 48, 8>  │  sizes  │ t1.is(&read): 48, 8, drops │
//! │ │ page       │ │ places ├────────────────────────────────┤         └────────────────────────────┘
//! │ │ read       │ │        │ block 0   slot_0.put(page)     │
//! │ │ tag        │ │        │ block 1   slot_0.hold() ..     │         twin: async fn __fetch(..) { .. }
//! │ └────────────┘ │        │ ..                             │           checks the user's own text,
//! │ marks          │◀──────────────────────────────────────────────────── says `Send` and `Sync`
//! └────────────────┘        └────────────────────────────────┘
//! ```
//!
//! 1. [`probe`] asks a closure that is never run how large each local and each awaited future is. [`assign_offsets`](assign_offsets())
//!    gives each an offset. So the struct has its bytes, and no type of a local has to be known.
//! 2. `advance` has all blocks of the machine. A [`Slot`] has no type of its own: the first `put`
//!    gives it one. A constant compares its size with the one that was asked.
//! 3. A block begins by holding what its state stores, in the order in which it was declared. What is
//!    [`SlotGuard`] is dropped with its scope: so `?`, `return` and a panic drop what the compiler would, in
//!    its order. At its end the block puts or keeps what the next one holds.
//! 4. A poll goes through blocks until one waits. The same code, in another [`Mode`], holds what a
//!    state stores to drop it, or to show it.
//! 5. A future that borrows locals is written by `put_lent` beside them; from then on they stay in their
//!    places, and the future goes first.
//!
//! # Invariants
//!
//! - I1: a slot is held only where it is filled. The tag says at which await the machine stands, and so which
//!   slots are filled; within a poll the blocks say so. Who holds a value takes it, drops it or
//!   keeps it.
//! - I2: slots that are filled at the same time share no byte, and each has the size and the
//!   alignment of what it stores: [`assign_offsets`](assign_offsets()) and the constant in [`Slot`].
//! - I3: what is lent lies in its place until the future that has it is gone, and nothing makes a
//!   reference to it meanwhile but what the function itself says. The compiler has checked those
//!   borrows in the function's own text.
//! - I4: a machine that was polled stays where it is until it is dropped, by the contract of `Pin`.
//! - I5: whether a machine is `Send` and `Sync` is asked of the compiler's coroutine of the same function,
//!   which stores all that the machine does.
//!   That all of it is `Unpin` is seen by the probe and asked again of each slot; then nothing is lent.
//! - I6: what is put outlives `'m`, of which `advance` knows nothing but that all lifetimes of the machine
//!   outlive it. So what a machine stores borrows nothing of a call, but what was lent to it.

mod probe;
mod modes;
mod slots;
mod run;
pub mod std_macros;
mod derive;
mod explicit_macros;

pub use crate::__volt_explicit as machine;
pub use crate::__volt_explicit_allow_lints as allow_lints;
pub use crate::__volt_explicit_derive as derive;
pub use crate::__volt_explicit_derive_typed as derive_typed;
pub use crate::__volt_explicit_each_slot as each_slot;
pub use crate::__volt_explicit_start as start;
pub use crate::machine::expansion::native;
pub use crate::machine::introspect::Introspect;
pub use crate::machine::register_once::RegisterOnce;
pub use core::ops::ControlFlow::{Break, Continue};
pub use core::task::Poll::{Pending, Ready};

pub use derive::{
    ClonedValue, HashMode, PairMode, clone_into, clone_mode, compare_mode, equal, hash, hash_mode,
};
pub use modes::{
    AnyFutureProbe, DebugLocal, DropMode, Mode, NotRun, PollFnProbe, Region, Token, TracedFuture,
    Unstorable, Visit, no_block, poll_recreated, poll_recreated_fn, probe_poll_fn,
};
pub use probe::{
    AllUnpin, ArgumentTuple, BorrowsNothing, BorrowsReceiver, CallWithTuple, CopyReceiver,
    DerefOutputProbe, FallbackCoroutine, FallbackVtable, HasDestructor, HasHiddenLifetime,
    HasNoLifetime, IfWellTyped, InferredType, IsCopy, LayoutInfo, LifetimeFree, MachineLayout,
    MayBorrow, MayMove, MovesReference, NO_OFFSET, Never, NoDestructor, NotUnpinProbe, OffsetPlan,
    OutputProbe, OwnedOutputProbe, Probe, ProbedLayout, ProbedReceiver, ReceiverGate,
    ReceiverIsMoved, Size, SizeNode, SizeOnly, StateSet, StoredFallback, TypeList, TypeProbe,
    UnpinProbe, UnprovenOutput, WellTyped, WrittenType, align, assert_confirmed, assign_offsets,
    borrow_nothing, first_refuted, is_send, is_sync, is_unpin, is_well_typed, layout_from,
    layout_of, moves_receiver, never, note_call_types, note_place, output, probe, probe_call,
    probe_call_types, probe_output, size, size_of_coroutine, size_only, states_unless,
    stored_fallback, unpin_probe,
};
pub use run::{
    ExplicitMachine, ExplicitRows, SlotSet, Tag, TagAccessor, cancel, debug, is_native,
    is_terminated, poll,
};
pub use slots::{
    AnySlot, Bytes, ConditionalSlotGuard, Movable, Pinned, Slot, SlotGuard, StackSlot, UnionField,
    leave_in_place, leave_pending, needs_drop, write_argument, write_start_tag,
};
pub use std_macros as known;
