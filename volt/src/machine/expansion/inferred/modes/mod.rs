//! Modes of `advance`: the purposes for which the code of a machine is called.

mod region;
mod poll_call;
mod inspection;
mod snapshot_mode;
mod mode;
mod poll_fn;
mod reported_type;

pub use inspection::{DebugLocal, TracedFuture};
pub(crate) use inspection::{
    PolledTypes, ReportTypes, StaticText, TraceAny, TraceMachine, TracePolled,
};
pub use mode::{DropMode, Mode, NotRun, no_block};
pub(crate) use mode::{InspectMode, PollMode};
pub(crate) use poll_call::{DirectPoll, PollWith};
pub use poll_fn::{
    AnyFutureProbe, PollFnProbe, Unstorable, poll_recreated, poll_recreated_fn, probe_poll_fn,
};
pub use region::{Region, Token};
pub(crate) use reported_type::REPORT_TYPE;
pub use reported_type::no_block_or_type;
pub use snapshot_mode::SnapshotMode;
#[cfg(feature = "serde")]
pub use snapshot_mode::{
    ConditionalValue, StorageForm, StoredUnless, StoredValues, ValueReader, ValueWriter,
};
