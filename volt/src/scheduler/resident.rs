//! Which schedulers of one worker live on this thread?
//!
//! Their tasks run here or nowhere, so a thread that blocks until one of them is complete never goes
//! on: nobody is left to run it.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::rc::Rc;

use crate::loom::thread_local_const;

thread_local_const! {
    static HERE: RefCell<Vec<NonZeroUsize>> = RefCell::new(Vec::new());
}

/// The time during which a scheduler lives on this thread.
#[derive(Debug)]
pub(super) struct Resident {
    home: NonZeroUsize,
    _stays: PhantomData<Rc<()>>,
}

impl Resident {
    pub(super) fn new(home: NonZeroUsize) -> Self {
        // In the destructors of thread-locals it may be gone; then a join is not refused.
        let _ = HERE.try_with(|here| here.borrow_mut().push(home));
        Self {
            home,
            _stays: PhantomData,
        }
    }
}

impl Drop for Resident {
    fn drop(&mut self) {
        // A thread that ends may have forgotten.
        let _ = HERE.try_with(|here| here.borrow_mut().retain(|home| *home != self.home));
    }
}

/// Whether tasks of that home run on this thread and no other.
pub(crate) fn lives_here(home: NonZeroUsize) -> bool {
    HERE.try_with(|here| here.borrow().contains(&home)) == Ok(true)
}
