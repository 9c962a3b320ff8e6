//! The pointer to a machine, passed to code that runs next on the same thread.
//!
//! A coroutine needs a pointer to its machine when it starts, and each of its awaits needs one at
//! its first poll. With the feature `std` a thread-local passes the pointer, so neither stores it.
//! The receiver takes it before any other code runs: no code of the user is between the two. So a
//! library that switches stacks within a poll cannot come in between, either.
//!
//! Without the feature there is no thread-local. The coroutine captures the pointer, and each await
//! stores it.
//!
//! With the feature `std` an await does not know its machine after its first poll. So it notes a
//! future that has forgotten its waker, and the machine reports it when the poll of the coroutine
//! returns, which is next.

pub(crate) use links::{MachineLink, StartLink};
#[cfg(feature = "std")]
pub(crate) use links::{pass, take};

#[cfg(feature = "std")]
mod links {
    use core::cell::Cell;
    use core::ptr;

    use super::super::position_store::MachinePtr;

    std::thread_local! {
        /// The machine that is passed, or the site or the arguments of one. It is null while none
        /// is.
        static PASSED: Cell<*const ()> = const { Cell::new(ptr::null()) };
    }

    /// Passes a pointer to the code that runs next.
    #[inline]
    pub(crate) fn pass(pointer: *const ()) {
        PASSED.set(pointer);
    }

    /// Returns the pointer that was passed, once, or null.
    #[inline]
    pub(crate) fn take() -> *const () {
        PASSED.replace(ptr::null())
    }

    /// The link from an await to its machine, for its first poll.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct MachineLink;

    impl MachineLink {
        /// Passes the machine to the first poll of the await.
        #[inline]
        pub(crate) fn new(machine: MachinePtr) -> Self {
            PASSED.set(machine.get());
            Self
        }

        /// Returns the machine at the first poll, and null at the others.
        #[inline]
        pub(crate) fn at_poll(self) -> *const () {
            PASSED.replace(ptr::null())
        }
    }

    /// The link from a coroutine to its machine, for its first statement.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct StartLink;

    impl StartLink {
        /// Passes the machine to the first statement of the coroutine.
        #[inline]
        pub(crate) fn new(machine: MachinePtr) -> Self {
            PASSED.set(machine.get());
            Self
        }

        /// Returns the machine, once.
        #[inline]
        pub(crate) fn receive(self) -> MachinePtr {
            MachinePtr::new(PASSED.replace(ptr::null()))
        }
    }
}

#[cfg(not(feature = "std"))]
mod links {
    use super::super::position_store::MachinePtr;

    /// The link from an await to its machine.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct MachineLink(MachinePtr);

    impl MachineLink {
        #[inline]
        pub(crate) fn new(machine: MachinePtr) -> Self {
            Self(machine)
        }

        /// Returns the machine.
        #[inline]
        pub(crate) fn at_poll(self) -> *const () {
            self.0.get()
        }
    }

    /// The link from a coroutine to its machine.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct StartLink(MachinePtr);

    impl StartLink {
        #[inline]
        pub(crate) fn new(machine: MachinePtr) -> Self {
            Self(machine)
        }

        /// Returns the machine.
        #[inline]
        pub(crate) fn receive(self) -> MachinePtr {
            self.0
        }
    }
}
