//! Values without a name, on which methods are called in a chain.

use super::log::event;
use super::value::{DropLogger, Look, d};

/// A value with a destructor, which methods move or borrow.
#[derive(Debug)]
pub struct Chained(DropLogger);

/// Makes a `Chained`.
pub fn chained(id: u32) -> Chained {
    Chained(d(id))
}

impl Chained {
    /// Moves the value.
    #[must_use]
    pub fn moved(self, id: u32) -> Self {
        event("moved", id);
        self
    }

    /// Moves the value, and returns its number.
    pub fn ended(self, id: u32) -> u32 {
        event("ended", id);
        self.0.number()
    }

    /// Borrows the value, and returns a copy.
    pub fn marked(&self, id: u32) -> Marked {
        event("marked", id);
        Marked(self.0.number())
    }
}

/// A value without a destructor.
#[derive(Clone, Copy, Debug)]
pub struct Marked(u32);

impl Marked {
    /// Copies the value, and returns its number.
    pub fn copied(self, id: u32) -> u32 {
        event("copied", id);
        self.0
    }

    /// Returns a reference to the value.
    pub fn borrowed(&self, id: u32) -> &Self {
        event("borrowed", id);
        self
    }
}
