//! Constants of an explicit machine: the sizes of its fields, their offsets, and its auto traits.
//!
//! `size` and `type_list` measure the values of a closure that is never run. `offsets` gives each
//! of them a place, and `parts` combines both with the size and auto traits of the compiler's own
//! coroutine.

mod size;
mod type_list;
mod offsets;
mod fallback_vtable;
mod fallback_coroutine;
mod parts;
mod lifetime_probe;
mod output_probe;
mod receiver_probe;
mod replaced_sizes;
mod name_probe;

pub use fallback_coroutine::{
    FallbackCoroutine, SizeOnly, StoredFallback, UncomparedSize, is_well_typed, probe_output,
    size_of_coroutine, size_only, stored_fallback, uncompared_size,
};
pub use fallback_vtable::{ArgumentTuple, CallWithTuple, FallbackVtable};
pub use lifetime_probe::{
    BorrowsNothing, CopyReceiver, HasDestructor, HasHiddenLifetime, HasNoLifetime, IsCopy,
    IsExclusive, IsOther, LifetimeFree, MayBorrow, MayMove, NoDestructor, TypeProbe, WrittenType,
    borrow_nothing,
};
pub use name_probe::{IsPart, NamedPart, captures_nothing, named_value};
pub use offsets::{NO_OFFSET, OffsetPlan, StateSet, assign_offsets};
pub use output_probe::{
    DerefOutputProbe, OutputProbe, OwnedOutputProbe, UnprovenOutput, note_call_types,
};
pub use parts::{
    AutoTraitInfo, CheckedClaim, LayoutInfo, MachineLayout, ProbedLayout, align, assert_confirmed,
    first_refuted, is_send, is_sync, is_unpin, layout_from, layout_of, size,
};
pub use receiver_probe::{
    InnerCall, IsNoReference, IsReference, Probed, ProbedReceiver, ReceiverGate, ReceiverIsMoved,
    ReferenceMark, inner_call, moves_local, moves_receiver, probe_call, probe_call_types,
    probe_local_call, probe_local_call_types, states_unless,
};
pub use replaced_sizes::{
    ClosureList, OnlyDrops, ReplacedSize, ReplacedSizes, UnlessMoved, and_closure,
};
pub use size::{
    IfWellTyped, InferredType, Never, Size, WellTyped, never, note_parts, note_parts_of_place,
    note_place, note_value, output,
};
pub use type_list::{
    AllUnpin, NotUnpinProbe, Probe, ReplacedNode, SizeNode, TypeList, UnpinProbe, probe,
    unpin_probe,
};
