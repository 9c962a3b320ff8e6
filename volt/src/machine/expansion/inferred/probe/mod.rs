//! Constants of an explicit machine: the sizes of its fields, their offsets, and its auto traits.
//!
//! `size` measures the values of a closure that is never run. `offsets` gives each of them a place,
//! and `parts` combines both with the facts about the compiler's own coroutine.

mod size;
mod offsets;
mod fallback_vtable;
mod fallback_coroutine;
mod parts;
mod lifetime_probe;
mod claims;
mod receiver_probe;

pub use claims::{Alone, Belief, LedTo, Unsure, believe};
pub use fallback_coroutine::{
    Compared, Coroutine, Instead, asked, compared_with, coroutine_of, is_sound, size_of_coroutine,
};
pub use fallback_vtable::{Arguments, Gives, Stored};
pub use lifetime_probe::{
    Asked, Copied, ElseBorrowed, ElseHides, ElseMoved, ElseWhole, IfCopied, IfDrops, IfOwned,
    IfOwns, Owned, Written, owned,
};
pub use offsets::{NOWHERE, Plan, States, place};
pub use parts::{
    Made, Parts, Places, align, confirmed, is_send, is_sync, is_unpin, made, made_of, refuted, size,
};
pub use receiver_probe::{Answer, Gate, Other, Own, Reference, ask, ask_both, takes, unless};
pub use size::{
    All, AnyAll, Checked, Never, Node, Probe, Size, Sound, Type, Types, Unpins, all, never, output,
    probe, seen,
};
