//! What a function gives, asked of its type.

/// A function pointer, which knows its output.
pub trait Native: Copy {
    /// The output.
    type Future;
}

impl<R> Native for fn() -> R {
    type Future = R;
}
