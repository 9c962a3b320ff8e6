//! The macro with which a coroutine moves in its arguments.

/// Moves out one argument, `take_arguments!(ptr.0)`, or all, `take_arguments!(ptr)`, or some,
/// `take_arguments!(ptr, 1 2)`.
///
/// Each is moved once, before the first await. Only expanded code calls it.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_take_arguments {
    ($ptr:ident) => {
        // SAFETY: N1: this is the first statement of the coroutine, and moves all arguments.
        unsafe { ::core::ptr::read($ptr.arguments()) }
    };
    ($ptr:ident . $index:tt) => {
        // SAFETY: N1: these are the first statements of the coroutine, each with its own index.
        unsafe { ::core::ptr::read(&raw const (*$ptr.arguments()).$index) }
    };
    ($ptr:ident, $($index:tt)*) => {
        ($($crate::__volt_take_arguments!($ptr.$index),)*)
    };
}
