//! Futures that `pin!`, `select!` or `join!` stores in the body of a native machine.
//!
//! ```text
//! let mut written = pin!(write(..));            a `PinnedLocal` follows: address and kind
//! race(written.as_mut(), soon()).await;         marks the local as polled
//! log().await;                                  stores a `DormantLocal`, which a trace reads
//! ```
//!
//! An await that does not name a pinned local stores its address beside the awaited future. No list
//! is necessary, so nothing has to be removed from one when the local is dropped, the body panics
//! or the machine is cancelled: the address is dropped with the await.
//!
//! The probe [`PinnedProbe`] chooses the kind by autoref specialization:
//!
//! - The value of a type that is `Unpin` is not read. A reborrow of the pin, which the body may
//!   have stored, is the only access to the value until it is dropped.
//! - A reference to a value that is not `Unpin` ends no other reference to it, so a trace inspects
//!   the value between two polls.
//! - A type with parameters of the function may be `Unpin` for some of them, so such a function
//!   uses [`PinnedProbe::__volt_pinned_type`].

mod pinned_local;
mod future_beside;
mod macro_branches;

pub use future_beside::{FutureBeside, OperandBeside, TraceBeside};
pub use macro_branches::{BranchLink, MacroBranch, MacroBranches, into_future};
pub use pinned_local::{
    DormantLocal, FutureProbe, MachineProbe, OtherProbe, PinnedLocal, PinnedProbe, pinned_probe,
};
