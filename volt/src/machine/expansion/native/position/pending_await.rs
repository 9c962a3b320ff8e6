//! `PendingAwait`: the await at which a coroutine was suspended, for the poll of its machine.
//!
//! A macro may await a future that the attribute does not see. While it does, the position of the
//! machine has the address of the await before it, whose future is dropped. So each await records
//! that it returns `Pending`, which is the last operation of its coroutine. The poll of the machine
//! then clears the address of any other await.
//!
//! Without the feature `std` there is no thread-local. There each await knows its machine, and
//! clears its address when it ends.

pub(crate) use pending::{PendingAwait, note_pending};

#[cfg(feature = "std")]
mod pending {
    use core::cell::Cell;
    use core::ptr;

    use super::super::position_store::PositionStore;

    std::thread_local! {
        /// The future of the await that was pending last, in the innermost poll of a machine.
        static LAST: Cell<*const ()> = const { Cell::new(ptr::null()) };
    }

    /// Records that the await of the future at this address returns `Pending`.
    #[inline]
    pub(crate) fn note_pending(future: *const ()) {
        LAST.set(future);
    }

    /// The poll of a coroutine. Its end, also by a panic, restores the record of the outer poll.
    #[derive(Debug)]
    pub(crate) struct PendingAwait {
        outer: *const (),
    }

    impl PendingAwait {
        #[inline]
        pub(crate) fn begin() -> Self {
            let outer = LAST.replace(ptr::null());
            Self { outer }
        }

        /// Clears the address in the position of a suspended coroutine, unless the await there was
        /// the last one.
        #[inline]
        pub(crate) fn end(self, position: &impl PositionStore) {
            position.clear_inner_unless_at(LAST.get());
        }
    }

    impl Drop for PendingAwait {
        #[inline]
        fn drop(&mut self) {
            LAST.set(self.outer);
        }
    }
}

#[cfg(not(feature = "std"))]
mod pending {
    use super::super::position_store::PositionStore;

    #[inline]
    pub(crate) fn note_pending(_: *const ()) {}

    #[derive(Debug)]
    pub(crate) struct PendingAwait;

    impl PendingAwait {
        #[inline]
        pub(crate) fn begin() -> Self {
            Self
        }

        #[inline]
        pub(crate) fn end(self, _: &impl PositionStore) {}
    }
}
