//! The compiler's coroutine: its size and auto traits, and the functions that create, poll and drop
//! it.

#[cfg(feature = "std")]
mod compact_layout;
mod coroutine_vtable;
mod coroutine_info;
mod own_future;
mod replaced;
mod sync_proof;

#[cfg(feature = "std")]
pub(crate) use compact_layout::{
    CompactLayout, CoroutineTag, FIRST_SUSPEND, PANICKED, RETURNED, UNRESUMED, byte_of_tag,
};
pub use coroutine_info::{
    AutoTraitAnswer, AutoTraits, CoroutineInfo, False, HasMarker, HeldAcrossAwait, HeldValues,
    Measured, NeitherProbe, SendOrLocal, SendProbe, SendProof, SendSyncProbe, SyncProbe, True,
    align, are_arguments_send, arguments_must_be_send, auto_traits_of, coroutine_must_be_send,
    is_send, is_sync, measure, measure_with_auto_traits, probe_auto_traits, probe_type, size,
    size_of_output,
};
pub use coroutine_vtable::{CoroutineCapture, CoroutineVtable};
pub(crate) use coroutine_vtable::{copy_zero_sized, poll_in_place};
pub use own_future::{
    AssumeFuture, HeldCopy, KeepOther, KeepValue, NoCopy, OwnFuture, discard, discard_unused,
    output_of,
};
pub use replaced::{CopyOf, IsKept, Kept, OtherValue, Replaced, ValueOf, value_of};
pub use sync_proof::SyncProof;
