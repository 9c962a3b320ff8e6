//! Where a thread keeps the values of one key while scopes of it are polled.
//!
//! A value belongs to the *frame* that set it: the poll of a task, or what the thread does outside
//! of tasks. A join may poll another task inside of a frame. That is a frame of its own, in which
//! the values of the outer ones are not seen.
//!
//! A value that is lent by [`LocalKey::with`](crate::task::LocalKey::with) cannot be moved meanwhile. So a
//! scope that begins then has a slot of its own, above the one that is lent. That is the only case
//! that allocates.

use crate::task::current_task;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// The values of a key on one thread.
pub struct TaskLocalStorage<T> {
    first: Slot<T>,
    /// The slots of scopes that began while the one below was lent.
    above: RefCell<Vec<Rc<Slot<T>>>>,
}

/// The value of the innermost scope, of those that have this slot.
type Slot<T> = RefCell<Option<FrameValue<T>>>;

/// A value, and the frame that sees it.
struct FrameValue<T> {
    value: T,
    frame: u32,
}

/// What a scope has displaced.
pub(in crate::task) struct SavedValue<T> {
    outer: Option<FrameValue<T>>,
    /// It has a slot of its own.
    is_above: bool,
}

impl<T> TaskLocalStorage<T> {
    /// Without a value.
    #[doc(hidden)]
    #[must_use]
    pub const fn new() -> Self {
        Self {
            first: RefCell::new(None),
            above: RefCell::new(Vec::new()),
        }
    }

    /// Calls `access` with the slot of the innermost scope.
    fn with_newest<R>(&self, access: impl FnOnce(&Slot<T>) -> R) -> R {
        let newest = self.above.borrow().last().map(Rc::clone);
        match newest {
            Some(slot) => access(&slot),
            None => access(&self.first),
        }
    }

    /// Lends the value of the innermost scope of this frame.
    pub(in crate::task) fn lend<R>(&self, access: impl FnOnce(&T) -> R) -> Option<R> {
        self.with_newest(|slot| {
            let framed = slot.try_borrow().ok()?;
            let framed = framed.as_ref()?;
            (framed.frame == current_task::frame()).then(|| access(&framed.value))
        })
    }

    /// A scope begins.
    pub(in crate::task) fn enter(&self, value: T) -> SavedValue<T> {
        let frame = current_task::frame();
        let mut framed = Some(FrameValue { value, frame });
        let outer = self.with_newest(|slot| {
            let mut slot = slot.try_borrow_mut().ok()?;
            Some(std::mem::replace(&mut *slot, framed.take()))
        });
        if framed.is_some() {
            self.above.borrow_mut().push(Rc::new(RefCell::new(framed)));
        }
        SavedValue {
            is_above: outer.is_none(),
            outer: outer.flatten(),
        }
    }

    /// The innermost scope ends, which gets its value back.
    pub(in crate::task) fn leave(&self, displaced: SavedValue<T>) -> Option<T> {
        let framed = match displaced.is_above {
            true => {
                let slot = self.above.borrow_mut().pop();
                slot.and_then(|slot| slot.take())
            }
            false => self.with_newest(|slot| slot.replace(displaced.outer)),
        };
        framed.map(|framed| framed.value)
    }
}

impl<T> Default for TaskLocalStorage<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> fmt::Debug for TaskLocalStorage<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskLocalStorage").finish_non_exhaustive()
    }
}
