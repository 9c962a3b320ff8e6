//! `TraceFn`: how the states of a future of a registered type are found.

use core::any::TypeId;

use crate::description::{State, Tables};
use crate::inspector::MachineAccess;

/// The way to visit the states of a machine, from the outermost to the innermost.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum WalkBy {
    /// Calls a function.
    Call(unsafe fn(*const (), &mut dyn FnMut(&'static State))),
    /// Reads the machine by its address.
    Machine(&'static dyn MachineAccess),
}

/// A function that traces the futures of a type.
///
/// # Safety
///
/// The functions require the address of a live future of the registered type. Nothing may have a
/// mutable reference into it during the call.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum TraceFn {
    /// A machine.
    Machine {
        /// The way to visit its states.
        walk: WalkBy,
        /// The states and transitions of its type.
        tables: &'static Tables,
    },
    /// Finds the future of type `type_id` inside of this wrapper.
    Inner {
        type_id: TypeId,
        find: unsafe fn(*const ()) -> *const (),
    },
}
