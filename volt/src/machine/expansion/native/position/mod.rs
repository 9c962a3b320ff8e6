//! The position of a native machine: the await at which it is suspended.

mod table;
mod brand;
mod position_store;
mod handoff;
mod pending_await;
mod site;
mod progress;
mod untraced;
mod parent_link;
#[cfg(feature = "std")]
mod suspended_at;
#[cfg(feature = "std")]
mod compact_ptr;

#[cfg(feature = "std")]
pub use compact_ptr::{
    Compact, CompactCapture, CompactPtr, HeldArguments, StartArguments, StartGate,
};
pub(crate) use handoff::MachineLink;
#[cfg(feature = "std")]
pub(crate) use handoff::{StartLink, pass, take};
pub(crate) use parent_link::ParentLink;
pub(crate) use pending_await::{PendingAwait, note_pending};
pub use position_store::{
    CapturingFn, CoroutineFn, CoroutineInput, InputFn, InputKind, MachineStage, PositionStore,
    TracedKind,
};
pub(crate) use position_store::{CompactFields, MachinePtr, Trace};
pub use progress::{ArgumentsPtr, Progress, ProgressCapture};
#[cfg(not(feature = "std"))]
pub use progress::{
    Progress as Compact, ProgressCapture as CompactCapture, ProgressCapture as CompactPtr,
};
pub(crate) use site::Site;
#[cfg(feature = "std")]
pub(crate) use suspended_at::{
    AwaitCount, MacroSite, SlotSource, fill_slot, is_beyond_limit, leave_macro, note_suspended,
    suspended_at,
};
pub(crate) use table::BuildTables;
pub use table::{NativeRows, Table, tables};
pub use untraced::{ReceiveArguments, Untraced, UntracedCapture};
