//! The assertion that a machine is `Send`.

/// Compiles if `F` may go to another thread.
///
/// The error is the compiler's own: it names the part that may not, and what that is a part of.
pub const fn assert_send<F: Send>() {}
