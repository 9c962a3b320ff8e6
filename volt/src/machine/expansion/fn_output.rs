//! The output of a function type.

/// A function pointer type, with its output as an associated type.
///
/// Expansions use it to name `!` where the language has no type syntax for it.
pub trait Native: Copy {
    /// The output of the function.
    type Future;
}

impl<R> Native for fn() -> R {
    type Future = R;
}
