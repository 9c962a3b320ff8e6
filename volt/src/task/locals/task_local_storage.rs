//! The storage of a thread for the values of one key, while scopes of it are polled.
//!
//! A value belongs to the *frame* that set it: the poll of a task, or the code of the thread
//! outside of tasks. A join may poll another task inside of a frame. That poll is a frame of its
//! own, and does not see the values of the outer ones.
//!
//! A value that [`LocalKey::with`](crate::task::LocalKey::with) borrows cannot be moved meanwhile.
//! So a scope that begins during the borrow gets a slot of its own. Only this case allocates.

use crate::task::current_task;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// The values of a key on one thread.
pub struct TaskLocalStorage<T> {
    first: ValueSlot<T>,
    /// The slots of scopes that began while the slot below was borrowed.
    above: RefCell<Vec<Rc<ValueSlot<T>>>>,
}

/// The value of the innermost scope that uses this slot.
type ValueSlot<T> = RefCell<Option<FrameValue<T>>>;

/// A value, and the frame that it belongs to.
struct FrameValue<T> {
    value: T,
    frame: u32,
}

/// The value that a scope replaced, which is restored at its end.
pub(in crate::task) struct SavedValue<T> {
    outer: Option<FrameValue<T>>,
    slot: ScopeSlot,
}

/// The slot of a scope.
enum ScopeSlot {
    /// The slot of the scope around it.
    Shared,
    /// A slot of its own, because the other one was borrowed.
    Own,
}

impl<T> TaskLocalStorage<T> {
    /// Creates a storage without a value.
    #[doc(hidden)]
    #[must_use]
    pub const fn new() -> Self {
        Self {
            first: RefCell::new(None),
            above: RefCell::new(Vec::new()),
        }
    }

    /// Calls `access` with the slot of the innermost scope.
    fn with_newest<R>(&self, access: impl FnOnce(&ValueSlot<T>) -> R) -> R {
        let newest = self.above.borrow().last().map(Rc::clone);
        match newest {
            Some(slot) => access(&slot),
            None => access(&self.first),
        }
    }

    /// Calls `access` with the value of the innermost scope of this frame.
    pub(in crate::task) fn with<R>(&self, access: impl FnOnce(&T) -> R) -> Option<R> {
        self.with_newest(|slot| {
            let framed = slot.try_borrow().ok()?;
            let framed = framed.as_ref()?;
            (framed.frame == current_task::frame()).then(|| access(&framed.value))
        })
    }

    /// Begins a scope with a value.
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
            slot: if outer.is_some() {
                ScopeSlot::Shared
            } else {
                ScopeSlot::Own
            },
            outer: outer.flatten(),
        }
    }

    /// Ends the innermost scope, and returns its value.
    pub(in crate::task) fn leave(&self, saved: SavedValue<T>) -> Option<T> {
        let framed = match saved.slot {
            ScopeSlot::Own => {
                let slot = self.above.borrow_mut().pop();
                slot.and_then(|slot| slot.take())
            }
            ScopeSlot::Shared => self.with_newest(|slot| slot.replace(saved.outer)),
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
