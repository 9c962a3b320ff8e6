//! The vocabulary of expanded machines. Not for people: it changes without notice.

mod branch;
mod maybe;
mod held;
mod language;
mod quiet;
mod lasting;
mod consumed;
mod edition;
mod opened;
mod found;
mod looked;
mod lend;
mod method;
#[cfg(feature = "rt")]
mod leaf;
mod checked;
mod drive;
mod at;
mod beside;
mod send;
mod states;
mod lender;
mod trace;
mod told;
mod twin;

pub mod known;
pub mod native;

pub use crate::__volt_announced as announced;
pub use crate::__volt_lender as lender;
pub use crate::__volt_room as room;
pub use crate::__volt_states as states;
pub use crate::machine::announce::Announced;
pub use at::{At, Vacant, Variant};
pub use beside::Beside;
pub use branch::{Branch, Fails};
pub use consumed::{Bare, consumed};
pub use drive::{
    Anybody, Begin, Caller, Poison, Poller, Vacate, drive, poll_once, poll_unpin,
    resumed_after_completion, resumed_after_panicking, resumed_in_vacant_room,
};
pub use edition::{Hidden, Seen, Unless, unless, unseen};
pub use found::{
    Find, Followed, Found, FoundAgain, FoundLater, Given as Coerced, Plain, ReadLater, Slot, any,
    read_later,
};
pub use held::{
    Held, Hold, Keep, for_ever, no_destructor, no_drop_glue, no_operand, no_residue, no_residue_of,
    no_rest, no_temporary, no_temporary_behind,
};
pub use language::{OfLanguage, OfStd, plain, poll_fn_of_std};
pub use lasting::{
    Answer, Anyway, Apart, ByTrait, Goes, Lasts, Like, Quietly, Stays, lasting, parted, stays,
};
#[cfg(feature = "rt")]
pub(crate) use leaf::leaves;
pub use lend::{Argument, Call, Evaluated, Given, Lent};
pub use looked::{
    Elements, Looks, Number, Opens, OpensBehind, elements, looks, number, opens, opens_behind,
};
pub use maybe::{Maybe, gone};
pub use method::{Method, method, method_of};
pub use opened::{LeavesNothing, Opened, WithoutDrop};
pub use quiet::Quiet;
pub use send::{assert_send, assert_total_eq};
pub use states::Under;
pub use told::{Part, Told, told};
pub use trace::{Probe, TraceFuture, TraceMachine, debug};
pub use twin::{Err, Native, None, Ok, Some, ended, size_of_native};
pub use volt_combinators::lent::{Awaited, Borrowed, Lend, UnboundMachine};
#[cfg(feature = "rt")]
pub(crate) use volt_combinators::lent::{Leaf, LeafCall};
