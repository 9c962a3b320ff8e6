//! Assertions about the type of a machine, and of its parts.

/// Compiles if `F` may go to another thread.
///
/// The error is the compiler's own: it names the part that may not, and what that is a part of.
pub const fn assert_send<F: Send>() {}

/// Compiles if `T`, which is compared in part by `==`, is so in whole.
pub const fn assert_total_eq<T: Eq>() {}
