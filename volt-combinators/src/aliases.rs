//! Type aliases with the names of functions.
//!
//! `join<A, B>` is the future that the function `join` returns. A generic state machine that awaits
//! `join(a, b)` names the type of that future by the path of the function. An alias may not be next
//! to a module of its name, so all aliases are in this file.

use core::future::IntoFuture;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use core::future::{Pending, Ready};

use crate::multi::{Join, Race, TryJoin};
#[cfg(feature = "alloc")]
use crate::multi::{Partition, RaceOk, Settle};
use crate::single::Compose;

/// Declares an alias for the future of a function, under the name of the function.
macro_rules! alias {
    ($(#[$meta:meta])* pub type $name:ident<$($T:ident),+> = $Type:ty;) => {
        $(#[$meta])*
        #[doc(hidden)]
        #[allow(
            non_camel_case_types,
            reason = "the alias has the name of its function"
        )]
        pub type $name<$($T),+> = $Type;
    };
}

alias! {
    /// The future of [`compose`](fn@crate::compose).
    pub type compose<F> = Compose<<F as IntoFuture>::IntoFuture>;
}

alias! {
    /// The future of [`join`](fn@crate::join).
    pub type join<A, B> = Join<(<A as IntoFuture>::IntoFuture, <B as IntoFuture>::IntoFuture)>;
}

alias! {
    /// The future of [`join_all`](fn@crate::join_all).
    #[cfg(feature = "alloc")]
    pub type join_all<I> = Join<Vec<<<I as IntoIterator>::Item as IntoFuture>::IntoFuture>>;
}

alias! {
    /// The future of [`try_join`](fn@crate::try_join).
    pub type try_join<A, B> = TryJoin<(<A as IntoFuture>::IntoFuture, <B as IntoFuture>::IntoFuture)>;
}

alias! {
    /// The future of [`try_join_all`](fn@crate::try_join_all).
    #[cfg(feature = "alloc")]
    pub type try_join_all<I> = TryJoin<Vec<<<I as IntoIterator>::Item as IntoFuture>::IntoFuture>>;
}

alias! {
    /// The future of [`settle_all`](fn@crate::settle_all).
    #[cfg(feature = "alloc")]
    pub type settle_all<I> = Settle<Vec<<<I as IntoIterator>::Item as IntoFuture>::IntoFuture>>;
}

alias! {
    /// The future of [`partition_all`](fn@crate::partition_all).
    #[cfg(feature = "alloc")]
    pub type partition_all<I> = Partition<Vec<<<I as IntoIterator>::Item as IntoFuture>::IntoFuture>>;
}

alias! {
    /// The future of [`race`](fn@crate::race).
    pub type race<A, B> = Race<(<A as IntoFuture>::IntoFuture, <B as IntoFuture>::IntoFuture)>;
}

alias! {
    /// The future of [`race_all`](fn@crate::race_all).
    #[cfg(feature = "alloc")]
    pub type race_all<I> = Race<Vec<<<I as IntoIterator>::Item as IntoFuture>::IntoFuture>>;
}

alias! {
    /// The future of [`race_ok_all`](fn@crate::race_ok_all).
    #[cfg(feature = "alloc")]
    pub type race_ok_all<I> = RaceOk<Vec<<<I as IntoIterator>::Item as IntoFuture>::IntoFuture>>;
}

alias! {
    /// The future of [`ready`](fn@crate::ready).
    pub type ready<T> = Ready<T>;
}

alias! {
    /// The future of [`pending`](fn@crate::pending).
    pub type pending<T> = Pending<T>;
}
