//! The compiler's coroutine: the functions that make, poll and drop it, its size and its auto traits.

mod coroutine_vtable;
mod coroutine_info;

pub use coroutine_info::{
    Auto, AutoTraits, IfBoth, IfOnlySend, IfOnlySync, KeptAcrossAwaitsTheOptionSendTellsWhat, Made,
    Marked, Measured, No, Parts, Proof, SendOrLocal, Yes, align, are_arguments_send,
    arguments_are_send, asked_by, asked_of, is_send, is_send_as_the_option_says, is_sync, measured,
    measured_and_asked, size, size_of_output, told,
};
pub use coroutine_vtable::{Captured, Hooks};
pub(crate) use coroutine_vtable::{another, poll_in};
