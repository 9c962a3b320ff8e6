//! The explicit layout with inferred fields: what lives across an await, in bytes of the machine.
//!
//! ```text
//!  struct Fetch<'a>          fn advance<'m, M>(..)                      never run: probe(&|..| { .. })
//! ┌────────────────┐        ┌────────────────────────────────┐         ┌────────────────────────────┐
//! │ bytes          │        │ slot_0 = Slot::<_, .., 24, 8>  │◀────────│ t0.is(&page): 24, 8, drops │
//! │ ┌────────────┐ │◀───────│ slot_1 = Slot::<_, .., 48, 8>  │  sizes  │ t1.is(&read): 48, 8, drops │
//! │ │ page       │ │ places ├────────────────────────────────┤         └────────────────────────────┘
//! │ │ read       │ │        │ block 0   slot_0.put(page)     │
//! │ │ tag        │ │        │ block 1   slot_0.hold() ..     │         twin: async fn __fetch(..) { .. }
//! │ └────────────┘ │        │ ..                             │           checks the user's own text,
//! │ marks          │◀──────────────────────────────────────────────────── says `Send` and `Sync`
//! └────────────────┘        └────────────────────────────────┘
//! ```
//!
//! 1. [`probe`] asks a closure that is never run how large each local and each awaited future is. [`place`](place())
//!    gives each an offset. So the struct has its bytes, and no type of a local has to be known.
//! 2. `advance` has all blocks of the machine. A [`Slot`] has no type of its own: the first `put`
//!    gives it one. A constant compares its size with the one that was asked.
//! 3. A block begins by holding what its state stores, in the order in which it was declared. What is
//!    [`Held`] is dropped with its scope: so `?`, `return` and a panic drop what the compiler would, in
//!    its order. At its end the block puts or keeps what the next one holds.
//! 4. A poll goes through blocks until one waits. The same code, in another [`Mode`], holds what a
//!    state stores to drop it, or to show it.
//! 5. A future that borrows locals is written by `put_lent` beside them; from then on they stay in their
//!    places, and the future goes first.
//!
//! # Invariants
//!
//! - I1: a slot is held only where it is filled. The tag says at which await the machine stands, and so which
//!   slots are filled; within a poll the blocks say so. Who holds a value takes it, drops it or
//!   keeps it.
//! - I2: slots that are filled at the same time share no byte, and each has the size and the
//!   alignment of what it stores: [`place`](place()) and the constant in [`Slot`].
//! - I3: what is lent lies in its place until the future that has it is gone, and nothing makes a
//!   reference to it meanwhile but what the function itself says. The compiler has checked those
//!   borrows in the function's own text.
//! - I4: a machine that was polled stays where it is until it is dropped, by the contract of `Pin`.
//! - I5: whether a machine is `Send` and `Sync` is asked of the compiler's coroutine of the same function,
//!   which stores all that the machine does.
//!   That all of it is `Unpin` is seen by the probe and asked again of each slot; then nothing is lent.
//! - I6: what is put outlives `'m`, of which `advance` knows nothing but that all lifetimes of the machine
//!   outlive it. So what a machine stores borrows nothing of a call, but what was lent to it.

mod probe;
mod modes;
mod slots;
mod run;
pub mod std_macros;
mod derive;
mod explicit_macros;

pub use crate::__volt_inferred as machine;
pub use crate::__volt_inferred_allowed as allowed;
pub use crate::__volt_inferred_derive as derive;
pub use crate::__volt_inferred_derive_typed as derive_typed;
pub use crate::__volt_inferred_each as each;
pub use crate::__volt_inferred_start as start;
pub use crate::machine::expansion::native;
pub use crate::machine::introspect::Says;
pub use crate::machine::register_once::Told;
pub use core::ops::ControlFlow::{Break, Continue};
pub use core::task::Poll::{Pending, Ready};

pub use derive::{Cloned, Hashing, Pair, clone_into, cloning, comparing, equal, hash, hashing};
pub use modes::{
    AnyRenewed, Dropping, Mode, Region, Renewed, Shown, Token, TooLarge, Traced, Visit, Why, over,
    poll_fn_renewed, poll_renewed, renewed,
};
pub use probe::{
    All, Alone, Answer, AnyAll, Arguments, Asked, Belief, Checked, Compared, Copied, Coroutine,
    ElseBorrowed, ElseHides, ElseMoved, ElseWhole, Gate, Gives, IfCopied, IfDrops, IfOwned, IfOwns,
    Instead, LedTo, Made, NOWHERE, Never, Node, Other, Own, Owned, Parts, Places, Plan, Probe,
    Reference, Size, Sound, States, Stored, Type, Types, Unpins, Unsure, Written, align, all, ask,
    ask_both, asked, believe, compared_with, confirmed, coroutine_of, is_send, is_sound, is_sync,
    is_unpin, made, made_of, never, output, owned, place, probe, refuted, seen, size,
    size_of_coroutine, takes, unless,
};
pub use run::{ByTag, Inferred, Kept, Slots, Tag, cancel, debug, is_native, is_terminated, poll};
pub use slots::{
    AnySlot, Bytes, Held, HeldUnless, Movable, Pinned, Shared, Slot, Stack, begin, is_dropped,
    keep, pending, write,
};
pub use std_macros as known;
