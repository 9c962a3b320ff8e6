//! Slots: the typed views of the bytes of an explicit machine.

mod memory;
mod pinned;
mod any_slot;
mod slot;
mod stack_slot;
mod slot_inspect;
mod box_content;
mod union_field;
#[cfg(feature = "serde")]
mod moved_part;

pub use any_slot::{AnySlot, PlainSlot, UnknownSlot};
#[cfg(feature = "alloc")]
pub use box_content::BoxContent;
pub use box_content::{AnyValueType, ValueType};
pub use memory::{Bytes, write_argument, write_start_tag};
#[cfg(feature = "serde")]
pub use moved_part::{CopiedPart, HasEmptyValue, LeftPart, MovedPart, OtherPart, PartValue};
pub use pinned::{Movable, Pinned};
pub use slot::{ConditionalSlotGuard, Slot, SlotGuard, leave_in_place, leave_pending, needs_drop};
pub use stack_slot::StackSlot;
pub use union_field::UnionField;
