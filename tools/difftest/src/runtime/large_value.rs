//! A large value.

use super::log::event;
use super::value::Look;

/// Large, without a destructor, and moved as a whole.
#[derive(Debug)]
pub struct LargeValue {
    /// Can be copied out.
    pub n: u32,
    bytes: [u8; 200],
}

impl LargeValue {
    /// Returns a value that differs for each `id`.
    pub fn new(id: u32) -> Self {
        event("room", id);
        Self {
            n: id,
            bytes: [id.to_le_bytes()[0]; 200],
        }
    }
}

impl Look for LargeValue {
    fn number(&self) -> u32 {
        self.n ^ self.bytes.number()
    }
}
