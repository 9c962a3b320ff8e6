//! `SharedSlice`: an `Arc` of the standard library in all configurations.

/// A shared slice. It never changes, so models need not explore it.
pub(crate) type SharedSlice<T> = std::sync::Arc<[T]>;
