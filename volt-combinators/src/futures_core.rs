//! The traits of `futures-core`: streams, and futures that know whether they have ended.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use ::futures_core::{FusedFuture, FusedStream, Stream};

use crate::multi::{Join, Race, Select, TryJoin};
use crate::single::Compose;
use crate::single::{AndThen, Fuse, Inspect, Lazy, Map, MapErr, MapOk, OrElse, Then};
use crate::slots::{Children, FallibleStorage, JoinStorage, UniformStorage};

impl<A: Future> FusedFuture for Fuse<A> {
    fn is_terminated(&self) -> bool {
        Self::is_terminated(self)
    }
}

impl<A: FusedFuture> FusedFuture for Compose<A> {
    fn is_terminated(&self) -> bool {
        self.get_ref().is_terminated()
    }
}

impl<F: FnOnce() -> T, T> FusedFuture for Lazy<F> {
    fn is_terminated(&self) -> bool {
        Self::is_terminated(self)
    }
}

/// Forwards to the method of that name, if the type is a future.
macro_rules! fused_single {
    ($($Type:ident<$($T:ident),+>)+) => {$(
        impl<$($T),+> FusedFuture for $Type<$($T),+>
        where
            Self: Future,
        {
            fn is_terminated(&self) -> bool {
                Self::is_terminated(self)
            }
        }
    )+};
}

fused_single!(Map<A, F> MapOk<A, F> MapErr<A, F> Inspect<A, F>);
fused_single!(Then<A, B, F> AndThen<A, B, F> OrElse<A, B, F>);

/// Forwards to the method of that name.
macro_rules! fused {
    ($($Type:ident<$Storage:ident>)+) => {$(
        impl<C: Children<Storage: $Storage>> FusedFuture for $Type<C> {
            fn is_terminated(&self) -> bool {
                Self::is_terminated(self)
            }
        }
    )+};
}

fused!(Join<JoinStorage> TryJoin<FallibleStorage> Race<UniformStorage>);

impl<C: Children<Storage: UniformStorage>> Stream for Select<C> {
    type Item = (usize, <C::Storage as UniformStorage>::Output);

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Self::poll_next(self, cx)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.len()))
    }
}

impl<C: Children<Storage: UniformStorage>> FusedStream for Select<C> {
    fn is_terminated(&self) -> bool {
        self.is_empty()
    }
}

#[cfg(feature = "alloc")]
mod growing {
    use super::{
        Children, Context, FallibleStorage, FusedFuture, FusedStream, Future, Pin, Poll, Stream,
        UniformStorage,
    };
    use crate::future_group::{FutureGroup, FutureId};
    use crate::multi::Partition;
    use crate::multi::RaceOk;
    use crate::multi::Settle;
    use crate::scope::ScopeFuture;
    use crate::scoped::Scoped;

    fused!(Settle<FallibleStorage>);

    impl<B: Future> FusedFuture for ScopeFuture<'_, B> {
        fn is_terminated(&self) -> bool {
            Self::is_terminated(self)
        }
    }

    impl<T> FusedFuture for Scoped<T> {
        fn is_terminated(&self) -> bool {
            Self::is_terminated(self)
        }
    }

    impl<C, T, E> FusedFuture for Partition<C>
    where
        C: Children<Storage: UniformStorage<Output = Result<T, E>>>,
    {
        fn is_terminated(&self) -> bool {
            Self::is_terminated(self)
        }
    }

    impl<C, T, E> FusedFuture for RaceOk<C>
    where
        C: Children<Storage: UniformStorage<Output = Result<T, E>> + FallibleStorage<Error = E>>,
    {
        fn is_terminated(&self) -> bool {
            Self::is_terminated(self)
        }
    }

    impl<F: Future> Stream for FutureGroup<F> {
        type Item = (FutureId, F::Output);

        fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            Self::poll_next(self.get_mut(), cx)
        }

        fn size_hint(&self) -> (usize, Option<usize>) {
            (0, Some(self.len()))
        }
    }

    impl<F: Future> FusedStream for FutureGroup<F> {
        fn is_terminated(&self) -> bool {
            self.is_empty()
        }
    }
}

#[cfg(feature = "std")]
mod spawned {
    use super::{Context, FusedFuture, FusedStream, Future, Pin, Poll, Stream};
    use crate::group::{ChildId, Group, TaskError};
    use crate::single::CatchUnwind;

    fused_single!(CatchUnwind<A>);

    impl<T, S: Unpin> Stream for Group<T, S> {
        type Item = (ChildId, Result<T, TaskError>);

        fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            Self::poll_next(self.get_mut(), cx)
        }
    }

    impl<T, S: Unpin> FusedStream for Group<T, S> {
        fn is_terminated(&self) -> bool {
            self.is_empty()
        }
    }
}
