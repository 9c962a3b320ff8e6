//! `Inspect` for boxes.

use alloc::boxed::Box;
use core::pin::Pin;

use crate::inspect::{Inspect, InspectFuture, Registrable};
use crate::inspector::Inspector;

/// Implements `Inspect` for a boxed trait object.
macro_rules! boxed {
    ($($Object:ty)*) => { $(
        /// An inspection continues in the boxed future.
        impl<T> Inspect for Pin<Box<$Object>> {
            fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
                self.get_mut().as_mut().inspect(inspector);
            }
        }

        // SAFETY: the implementation has no bounds.
        unsafe impl<T> Registrable for Pin<Box<$Object>> {}
    )* };
}

boxed! {
    dyn InspectFuture<Output = T> + Send + '_
    dyn InspectFuture<Output = T> + '_
}
