//! Methods that move a value and await. The word of a call does not show if it moves or borrows.

use super::super::future::step;
use super::super::log::event;
use super::super::value::{DropLogger, Look, look};

impl DropLogger {
    /// Moves the value, waits, and returns its number.
    pub async fn closed(self, id: u32) -> u32 {
        step(id, ()).await;
        event("closed", id);
        self.number()
    }

    /// Moves the value, waits, reads another value, and returns the moved one.
    pub async fn closed_beside<T: Look + ?Sized>(self, id: u32, other: &T) -> Self {
        step(id, ()).await;
        look(other);
        self
    }
}
