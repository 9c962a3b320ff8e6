//! The position of a native machine: the await at which it is suspended.

mod table;
mod position_store;
mod handoff;
mod progress;
mod untraced;
mod parent_link;

pub(crate) use handoff::MachineLink;
#[cfg(feature = "std")]
pub(crate) use handoff::StartLink;
pub(crate) use parent_link::ParentLink;
pub(crate) use position_store::MachinePtr;
pub use position_store::{
    CapturingFn, CoroutineFn, CoroutineInput, InputFn, MachineStage, PositionStore,
};
pub use progress::{ArgumentsPtr, Progress, ProgressCapture};
pub(crate) use progress::{Site, Trace};
pub(crate) use table::BuildTables;
pub use table::{NativeRows, Table, tables};
pub use untraced::{ReceiveArguments, Untraced, UntracedCapture};
