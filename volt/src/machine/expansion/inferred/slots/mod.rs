//! Slots: the typed views of the bytes of an explicit machine.

mod memory;
mod pinned;
mod slot;
mod stack_slot;
mod slot_inspect;
mod union_field;

pub use memory::{Bytes, begin, write};
pub use pinned::{Movable, Pinned};
pub use slot::{AnySlot, Held, HeldUnless, Slot, is_dropped, keep, pending};
pub use stack_slot::Stack;
pub use union_field::Shared;
