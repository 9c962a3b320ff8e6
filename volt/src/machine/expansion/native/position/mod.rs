//! The position of a native machine: the await at which it is suspended.

mod table;
mod position_store;
mod handoff;
mod pending_await;
mod site;
mod progress;
mod untraced;
mod parent_link;

pub(crate) use handoff::MachineLink;
#[cfg(feature = "std")]
pub(crate) use handoff::StartLink;
pub(crate) use parent_link::ParentLink;
pub(crate) use pending_await::{PendingAwait, note_pending};
pub use position_store::{
    CapturingFn, CoroutineFn, CoroutineInput, InputFn, MachineStage, PositionStore,
};
pub(crate) use position_store::{MachinePtr, Trace};
pub use progress::{ArgumentsPtr, Progress, ProgressCapture};
pub(crate) use site::Site;
pub(crate) use table::BuildTables;
pub use table::{NativeRows, Table, tables};
pub use untraced::{ReceiveArguments, Untraced, UntracedCapture};
