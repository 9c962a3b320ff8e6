//! Large futures, which are boxed before they are spawned.
//!
//! A spawn moves the future into the memory of its task. Without optimisation, each call on the way
//! has a copy of the future on its stack, about fifteen in all. So a function that spawns a large
//! future first moves it to the heap by [`boxed_if_large`], and passes the box on.
//!
//! The metadata of the task still describe the future in the box: [`BoxedMetadata`] returns its
//! type, its size and its address.

use super::owner_thread::OwnerThread;
use super::schedule::{Metadata, MetadataLayout, delegate_metadata};
use crate::task::inspect::ErasedFuture;
use std::marker::PhantomData;
use std::pin::Pin;

/// The size in bytes above which a future is boxed.
const LARGE: usize = 16 << 10;

/// Returns `true` if a future of this type is boxed before it is spawned.
pub(crate) const fn is_large<F>() -> bool {
    size_of::<F>() > LARGE
}

/// Evaluates the expression with a future of type `$F`, which is boxed first if it is large.
/// Metadata, if they are passed, become those of the box.
///
/// The expression is expanded twice, for the two types. A constant selects the one that is
/// compiled.
macro_rules! boxed_if_large {
    ($F:ty, $made:expr, |$future:ident| $poll:expr) => {
        if const { $crate::task::is_large::<$F>() } {
            let $future = Box::pin($made);
            $poll
        } else {
            let $future = $made;
            $poll
        }
    };
    ($F:ty, |$future:ident, $metadata:ident| $spawn:expr) => {
        if const { $crate::task::is_large::<$F>() } {
            let $future = Box::pin($future);
            let $metadata = $crate::task::BoxedMetadata::new($metadata);
            $spawn
        } else {
            $spawn
        }
    };
}

pub(crate) use boxed_if_large;

/// The metadata of a boxed future, as those of the box.
pub(crate) struct BoxedMetadata<F, M> {
    metadata: M,
    _of: PhantomData<fn(&F)>,
}

impl<F, M: Metadata<F>> BoxedMetadata<F, M> {
    pub(crate) fn new(metadata: M) -> Self {
        Self {
            metadata,
            _of: PhantomData,
        }
    }
}

impl<F, M> Metadata<Pin<Box<F>>> for BoxedMetadata<F, M>
where
    F: 'static,
    M: Metadata<F>,
{
    // The other field has no size, so the metadata are at the beginning.
    const LAYOUT: MetadataLayout = M::LAYOUT;

    delegate_metadata!(metadata);

    fn owner(&self) -> Option<&OwnerThread> {
        self.metadata.owner()
    }

    fn inspection_target(&self, future: Pin<&mut Pin<Box<F>>>) -> Option<ErasedFuture> {
        self.metadata.inspection_target(future.as_deref_mut())
    }
}
