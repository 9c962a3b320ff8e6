//! The types that describe a machine: its states, its steps and its layout.

mod state;
mod layout;
mod tables;
#[cfg(target_has_atomic = "ptr")]
mod suspend_slot;
mod position_layout;
mod diagram;

pub use diagram::Diagram;
pub use layout::{Layout, Storage};
pub use position_layout::PositionLayout;
pub use state::{Local, State, Transition};
#[cfg(target_has_atomic = "ptr")]
pub use suspend_slot::SuspendSlot;
pub use tables::{Tables, own, steps};
