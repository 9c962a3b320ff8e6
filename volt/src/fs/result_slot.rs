//! `ResultSlot`: passes the result of an operation from the job to the future.

use std::io;

use crate::loom::sync::Mutex;

/// Stores one result.
#[derive(Debug)]
pub(super) struct ResultSlot<T>(Mutex<SlotContent<T>>);

#[derive(Debug)]
enum SlotContent<T> {
    Empty,
    Full(io::Result<T>),
    /// The future was dropped.
    Abandoned,
}

impl<T> ResultSlot<T> {
    pub(super) fn new() -> Self {
        Self(Mutex::new(SlotContent::Empty))
    }

    /// Creates a slot for an operation that has taken place.
    pub(super) fn full(result: io::Result<T>) -> Self {
        Self(Mutex::new(SlotContent::Full(result)))
    }

    fn replace(&self, content: SlotContent<T>) -> SlotContent<T> {
        std::mem::replace(&mut *self.0.lock(), content)
    }

    /// Stores the result. Returns its error if the future was dropped.
    pub(super) fn put(&self, result: io::Result<T>) -> Option<io::Error> {
        let mut content = self.0.lock();
        if let SlotContent::Abandoned = *content {
            drop(content);
            return result.err();
        }
        *content = SlotContent::Full(result);
        None
    }

    /// Takes the result of an operation that has ended.
    pub(super) fn take(&self) -> io::Result<T> {
        match self.replace(SlotContent::Empty) {
            SlotContent::Full(result) => result,
            SlotContent::Empty | SlotContent::Abandoned => {
                Err(io::Error::other("the operation did not take place"))
            }
        }
    }

    /// Records that the future is dropped. Returns an error that the future has not returned.
    pub(super) fn abandon(&self) -> Option<io::Error> {
        match self.replace(SlotContent::Abandoned) {
            SlotContent::Full(result) => result.err(),
            SlotContent::Empty | SlotContent::Abandoned => None,
        }
    }
}
