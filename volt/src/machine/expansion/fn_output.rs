//! The output of a function type.

/// A function pointer type, with its output as an associated type.
///
/// Expansions use it to name `!` where the language has no type syntax for it.
pub trait FnOutput: Copy {
    /// The output of the function.
    type Output;
}

impl<R> FnOutput for fn() -> R {
    type Output = R;
}
