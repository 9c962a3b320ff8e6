//! `RunsUnpolled`: futures that make progress although nothing polls them.

use core::pin::Pin;

/// A future that makes progress although nothing polls it, such as the handle of a task.
///
/// A machine with the option `deny(dormant)` may hold it across an await that does not poll it.
/// Implement it only for futures that own no lock and no place in a queue for which another future
/// may wait.
///
/// ```
/// use volt::machine::RunsUnpolled;
///
/// /// The reply of a thread.
/// struct Reply(std::sync::mpsc::Receiver<u32>);
///
/// impl RunsUnpolled for Reply {}
/// ```
pub trait RunsUnpolled {}

impl<T: RunsUnpolled + ?Sized> RunsUnpolled for &mut T {}

impl<P: core::ops::Deref<Target: RunsUnpolled>> RunsUnpolled for Pin<P> {}

#[cfg(feature = "alloc")]
impl<T: RunsUnpolled + ?Sized> RunsUnpolled for alloc::boxed::Box<T> {}
