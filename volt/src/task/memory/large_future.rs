//! Large futures, which are boxed before they are spawned.
//!
//! A future is moved into the memory of its task. On the way there each call that takes it apart from
//! others, such as one with a closure, has a copy of it on its stack where code is not optimised, some
//! fifteen in all. So a call that spawns a large future first moves it to the heap, by
//! [`boxed_if_large`], and hands its address on.
//!
//! The task is described by the future in the box: [`BoxedMetadata`] gives its type, its size and its address.

use super::owner_thread::OwnerThread;
use super::schedule::{Metadata, delegate_metadata};
use crate::task::inspect::ErasedFuture;
use std::marker::PhantomData;
use std::pin::Pin;

/// From more bytes than this on a future is boxed.
const LARGE: usize = 16 << 10;

/// Whether a future of this type is boxed before it is spawned.
pub(crate) const fn is_large<F>() -> bool {
    size_of::<F>() > LARGE
}

/// Evaluates the expression with a future of type `$F`; a large one is boxed first, and its metadata,
/// where it has some, become those of the box.
///
/// The expression is written twice, for the two types, and compiled for one: constants decide.
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

/// The metadata of a future, for the box that it is in.
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
    delegate_metadata!(metadata);

    fn owner(&self) -> Option<&OwnerThread> {
        self.metadata.owner()
    }

    fn inspection_target(&self, future: Pin<&mut Pin<Box<F>>>) -> Option<ErasedFuture> {
        self.metadata.inspection_target(future.as_deref_mut())
    }
}
