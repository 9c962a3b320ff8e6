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

mod size;
mod place;
mod stored;
mod coroutine;
mod parts;
mod region;
mod how;
mod looked_at;
mod mode;
mod memory;
mod pinned;
mod slot;
mod renewed;
mod ownership;
mod belief;
mod asked;
mod on_stack;
mod shown;
mod overlap;
mod advance;
mod tag;
mod fallback;
mod slots;
mod drive;
mod kept;
mod poll;
pub mod known;
mod awaited;
mod derived;
mod implement;
mod derive;

pub use crate::__volt_inferred as machine;
pub use crate::__volt_inferred_allowed as allowed;
pub use crate::__volt_inferred_derive as derive;
pub use crate::__volt_inferred_derive_typed as derive_typed;
pub use crate::__volt_inferred_each as each;
pub use crate::__volt_inferred_start as start;
pub use crate::machine::private::native;
pub use crate::machine::says::Says;
pub use crate::machine::told::Told;
pub use core::ops::ControlFlow::{Break, Continue};
pub use core::task::Poll::{Pending, Ready};

pub use advance::Inferred;
pub use asked::{Answer, Gate, Other, Own, Reference, ask, ask_both, takes, unless};
pub use belief::{Alone, Belief, LedTo, Unsure, believe};
pub use coroutine::{
    Compared, Coroutine, Instead, asked, compared_with, coroutine_of, is_sound, size_of_coroutine,
};
pub use derived::{Cloned, Hashing, Pair, clone_into, cloning, comparing, equal, hash, hashing};
pub use drive::{cancel, debug, is_terminated};
pub use fallback::is_native;
pub use kept::{ByTag, Kept};
pub use looked_at::{Shown, Traced, Visit};
pub use memory::{Bytes, begin, write};
pub use mode::{Dropping, Mode, Why, over};
pub use on_stack::Stack;
pub use overlap::Shared;
pub use ownership::{
    Asked, Copied, ElseBorrowed, ElseHides, ElseMoved, ElseWhole, IfCopied, IfDrops, IfOwned,
    IfOwns, Owned, Written, owned,
};
pub use parts::{
    Made, Parts, Places, align, confirmed, is_send, is_sync, is_unpin, made, made_of, refuted, size,
};
pub use pinned::{Movable, Pinned};
pub use place::{NOWHERE, Plan, States, place};
pub use poll::poll;
pub use region::{Region, Token};
pub use renewed::{AnyRenewed, Renewed, TooLarge, poll_fn_renewed, poll_renewed, renewed};
pub use size::{
    All, AnyAll, Checked, Never, Node, Probe, Size, Sound, Type, Types, Unpins, all, never, output,
    probe, seen,
};
pub use slot::{AnySlot, Held, HeldUnless, Slot, is_dropped, keep, pending};
pub use slots::Slots;
pub use stored::{Arguments, Gives, Stored};
pub use tag::Tag;
