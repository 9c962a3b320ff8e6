//! The explicit layout with inferred fields: values that are live across an await, in bytes of the
//! machine.
//!
//! ```text
//!  struct Fetch<'a>          fn advance<'m, M>(..)                      never run: probe(&|..| { .. })
//! ┌────────────────┐        ┌────────────────────────────────┐         ┌────────────────────────────┐
//! │ bytes          │        │ slot_0 = Slot::<_, .., 24, 8>  │◀────────│ t0.is(&page): 24, 8, drops │
//! │ ┌────────────┐ │◀───────│ slot_1 = Slot::<_, .., 48, 8>  │  sizes  │ t1.is(&read): 48, 8, drops │
//! │ │ page       │ │ offsets├────────────────────────────────┤         └────────────────────────────┘
//! │ │ read       │ │        │ block 0   slot_0.store(page)   │
//! │ │ tag        │ │        │ block 1   slot_0.guard() ..    │         reference function: async fn __fetch(..)
//! │ └────────────┘ │        │ ..                             │           has the user's own text; determines
//! │ marker         │◀──────────────────────────────────────────────────── `Send` and `Sync`
//! └────────────────┘        └────────────────────────────────┘
//! ```
//!
//! 1. `probe` measures each local and each awaited future by the type of a closure that is never
//!    run. [`assign_offsets`](assign_offsets()) gives each an offset. So the size of the struct is
//!    known, and no type of a local has to be named.
//! 2. `advance` has all blocks of the machine. A [`Slot`] has no type of its own: the first `store`
//!    determines it. A constant compares its size with the measured one.
//! 3. A block begins with a guard for each value that its state stores, in the order of the
//!    declarations. A [`SlotGuard`] drops its value at the end of its scope. So `?`, `return` and a
//!    panic drop the same values as the compiler's coroutine, in the same order. At its end the
//!    block stores the values of the next block, or leaves them in place.
//! 4. A poll runs blocks until one waits. The same code, in another [`Mode`], creates the guards of
//!    a state to drop its values, or inspects them.
//! 5. A future that borrows locals is stored next to them by `store_borrowing`. From then on they
//!    stay in their places, and the future is dropped first.
//!
//! # Invariants
//!
//! - I1: a slot is guarded only where it is filled. The tag determines the current await, and so
//!   the filled slots; within a poll the blocks do. A guard's value is moved out, dropped or left
//!   in place.
//! - I2: slots that are filled at the same time share no byte, and each has the size and the
//!   alignment of its value: [`assign_offsets`](assign_offsets()) and the constant in [`Slot`].
//! - I3: a borrowed local stays in its place until the borrowing future is dropped. Meanwhile only
//!   the function's own code creates references to it. The compiler has checked those borrows in
//!   the function's own text.
//! - I4: a machine that was polled stays at its address until it is dropped, by the contract of
//!   `Pin`.
//! - I5: a machine is `Send` and `Sync` if the compiler's coroutine of the same function is, which
//!   stores all values that the machine stores. The probe determines if all values are `Unpin`, and
//!   each slot checks it again; then nothing is borrowed from the machine.
//! - I6: a stored value outlives `'m`. `advance` knows of `'m` only that all lifetimes of the
//!   machine outlive it. So a stored value borrows nothing from a call, except the locals that
//!   `store_borrowing` borrows.

mod probe;
mod modes;
mod slots;
mod run;
pub mod std_macros;
mod derive;
mod snapshot;
mod explicit_macros;

pub use crate::__volt_explicit as machine;
pub use crate::__volt_explicit_allow_lints as allow_lints;
pub use crate::__volt_explicit_carried_code as carried_code;
pub use crate::__volt_explicit_derive as derive;
pub use crate::__volt_explicit_derive_typed as derive_typed;
pub use crate::__volt_explicit_each_slot as each_slot;
pub use crate::__volt_explicit_probed as probed;
pub use crate::__volt_explicit_snapshot as snapshot;
pub use crate::__volt_explicit_snapshot_stub as snapshot_stub;
pub use crate::__volt_explicit_snapshot_typed as snapshot_typed;
pub use crate::__volt_explicit_snapshot_values as snapshot_values;
pub use crate::__volt_explicit_start as start;
pub use crate::__volt_explicit_unsafe_of_reference as unsafe_of_reference;
pub use crate::machine::expansion::native;
pub use core::ops::ControlFlow::{Break, Continue};
pub use core::task::Poll::{Pending, Ready};
pub use volt_inspect::machine::Introspect;
pub use volt_inspect::machine::RegisterOnce;

#[cfg(feature = "serde")]
pub use crate::machine::steps::{
    Attempts, Checkpoint, FirstKey, StepResult, TransactionCheckpoint, checked_result, checkpoint,
    failed_attempts, first_key, is_last_attempt, poll_in_step, repeated_checkpoint,
    repeated_transaction_checkpoint, set_first_key, transaction_checkpoint,
};
pub use derive::{
    ClonedValue, HashMode, PairMode, clone_into, clone_mode, compare_mode, equal, hash, hash_mode,
};
pub use modes::{
    AnyFutureProbe, DebugLocal, DropMode, Mode, NotRun, PollFnProbe, Region, SnapshotMode, Token,
    TracedFuture, Unstorable, no_block, no_block_or_type, poll_recreated, poll_recreated_fn,
    probe_poll_fn,
};
#[cfg(feature = "serde")]
pub use modes::{
    ConditionalValue, StorageForm, StoredUnless, StoredValues, ValueReader, ValueWriter,
};
pub use probe::{
    AllUnpin, ArgumentTuple, AutoTraitInfo, BorrowsNothing, CallWithTuple, CheckedClaim,
    ClosureList, CopyReceiver, DerefOutputProbe, FallbackCoroutine, FallbackVtable, HasDestructor,
    HasHiddenLifetime, HasNoLifetime, IfWellTyped, InferredType, InnerCall, IsCopy, IsExclusive,
    IsNoReference, IsOther, IsPart, IsReference, LayoutInfo, LifetimeFree, MachineLayout,
    MayBorrow, MayMove, NO_OFFSET, NamedPart, Never, NoDestructor, NotUnpinProbe, OffsetPlan,
    OnlyDrops, OutputProbe, OwnedOutputProbe, Probe, Probed, ProbedLayout, ProbedReceiver,
    ReceiverGate, ReceiverIsMoved, ReferenceMark, ReplacedNode, ReplacedSize, ReplacedSizes, Size,
    SizeNode, SizeOnly, StateSet, StoredFallback, TypeList, TypeProbe, UncomparedSize, UnlessMoved,
    UnpinProbe, UnprovenOutput, WellTyped, WrittenType, align, and_closure, assert_confirmed,
    assign_offsets, borrow_nothing, captures_nothing, first_refuted, inner_call, is_send, is_sync,
    is_unpin, is_well_typed, layout_from, layout_of, moves_local, moves_receiver, named_value,
    never, note_call_types, note_parts, note_parts_of_place, note_place, note_value, output, probe,
    probe_call, probe_call_types, probe_local_call, probe_local_call_types, probe_output, size,
    size_of_coroutine, size_only, states_unless, stored_fallback, uncompared_size, unpin_probe,
};
pub use run::{
    AtLifetimes, CarriedCode, ExplicitMachine, ExplicitRows, SlotSet, Tag, TagAccessor, cancel,
    debug, is_native, is_terminated, offsets, poll,
};
#[cfg(feature = "serde")]
pub use serde;
#[cfg(feature = "alloc")]
pub use slots::BoxContent;
pub use slots::{
    AnySlot, AnyValueType, Bytes, ConditionalSlotGuard, Movable, Pinned, PlainSlot, Slot,
    SlotGuard, StackSlot, UnionField, UnknownSlot, ValueType, leave_in_place, leave_pending,
    needs_drop, write_argument, write_start_tag,
};
#[cfg(feature = "serde")]
pub use slots::{CopiedPart, HasEmptyValue, LeftPart, MovedPart, OtherPart, PartValue};
#[cfg(feature = "serde")]
pub use snapshot::{
    ByValue, DroppedFormProbe, FormOf, FormProbe, OlderNames, OnlyDropped, PinnedBox,
    QueriedFormProbe, ReadValue, Remaining, RemainingArray, RemainingRange, Snapshot,
    SnapshotNames, Storable, StoredValue, Unreadable, WithDefault, deserialize, serialize,
};
pub use std_macros as known;
