//! Types that may contain the own machine, and whose sizes are not evaluated unless the layout
//! needs them. Otherwise the size of the machine would depend on itself.
//!
//! ```text
//! [walk(n), walk(n)].map(Box::pin)      `map` moves the array, so that no state stores it
//! let (one, other) = pair;              of the type of `pair`, only the destructor matters
//! ```
//!
//! A list of types has `InferredType<()>` in place of such a type. It is behind a list of types
//! that replace some of its sizes:
//!
//! ```text
//! ((UnlessMoved<1, _, _>, OnlyDrops<4, _>), (InferredType<_>, InferredType<()>, ..))
//! ```

use core::marker::PhantomData;

use super::receiver_probe::moves_receiver;
use super::size::{InferredType, Size};
use super::type_list::{AllUnpin, ReplacedNode, SizeNode, TypeList, WIDTH};

/// A type that replaces the size at an index of a list.
pub trait ReplacedSize {
    /// The index.
    const INDEX: usize;
    /// The size.
    const SIZE: Size;
}

/// The inferred type `T` of a field, which no state stores if all closures of the list `F` capture
/// its value.
#[derive(Debug)]
pub struct UnlessMoved<const INDEX: usize, F, T>(pub InferredType<T>, pub InferredType<F>);

impl<const INDEX: usize, F: ClosureList, T> ReplacedSize for UnlessMoved<INDEX, F, T> {
    const INDEX: usize = INDEX;
    const SIZE: Size = if F::MOVE {
        Size::UNKNOWN
    } else {
        Size::of::<T>()
    };
}

/// An inferred type of which only the need for a destructor is evaluated.
#[derive(Debug)]
pub struct OnlyDrops<const INDEX: usize, T>(pub InferredType<T>);

impl<const INDEX: usize, T> ReplacedSize for OnlyDrops<INDEX, T> {
    const INDEX: usize = INDEX;
    const SIZE: Size = Size {
        drops: core::mem::needs_drop::<T>(),
        ..Size::UNKNOWN
    };
}

/// A list of closures.
pub trait ClosureList {
    /// `true` if each of them captures the receiver.
    const MOVE: bool;
}

impl ClosureList for () {
    const MOVE: bool = true;
}

impl<C, F: ClosureList> ClosureList for PhantomData<fn() -> (C, F)> {
    const MOVE: bool = moves_receiver(Size::of::<C>()) && F::MOVE;
}

/// Adds the closure of a probe to a list.
#[must_use]
pub fn and_closure<C, F>(_: &InferredType<C>, _: F) -> PhantomData<fn() -> (C, F)> {
    PhantomData
}

/// A list of types that replace sizes, as `(OnlyDrops<0, A>, OnlyDrops<1, B>)`.
pub trait ReplacedSizes {
    /// The indices and sizes.
    const NODE: ReplacedNode;
}

macro_rules! replaced_node {
    ($($T:ident)*, $rest:expr) => {{
        let (mut sizes, mut count) = ([(0, Size::EMPTY); WIDTH], 0);
        $(
            sizes[count] = ($T::INDEX, $T::SIZE);
            count += 1;
        )*
        ReplacedNode { sizes, count, rest: $rest }
    }};
}

macro_rules! implement_lists {
    ($(($($T:ident)*))*) => { $(
        impl<$($T: ReplacedSize),*> ReplacedSizes for ($($T,)*) {
            const NODE: ReplacedNode = replaced_node!($($T)*, None);
        }
    )* };
}

implement_lists! {
    (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H)
    (A B C D E F G H I) (A B C D E F G H I J) (A B C D E F G H I J K) (A B C D E F G H I J K L)
}

macro_rules! implement_rest {
    ($($T:ident)*) => {
        impl<$($T: ReplacedSize,)* Rest: ReplacedSizes> ReplacedSizes for ($($T,)* Rest) {
            const NODE: ReplacedNode = replaced_node!($($T)*, Some(&Rest::NODE));
        }
    };
}

implement_rest! { A B C D E F G H I J K L }

impl<R: ReplacedSizes, L: TypeList> TypeList for (R, L) {
    const SIZES: SizeNode = L::SIZES.with_replaced(&R::NODE);
}

// Such a type is in no state, or the machine is not `Unpin`.
impl<R: ReplacedSizes, L: AllUnpin> AllUnpin for (R, L) {}

#[cfg(test)]
mod tests {
    use super::super::receiver_probe::ProbedReceiver;
    use super::super::type_list::{Probe, probe};
    use super::*;
    use crate::machine::expansion::native::True;

    type Moving = PhantomData<fn() -> (ProbedReceiver<'static, u8>, ())>;
    type Borrowing = PhantomData<fn() -> (&'static u8, Moving)>;
    type Plain = (InferredType<u8>, InferredType<()>, InferredType<()>);

    fn sizes<L: TypeList>() -> [Size; 3] {
        let probe: Probe<3> = probe(|_: ((), L, InferredType<True>)| ());
        probe.sizes
    }

    #[test]
    fn moved_value_has_no_size() {
        let moved = sizes::<((UnlessMoved<1, Moving, u64>,), Plain)>();
        assert_eq!(moved, [Size::of::<u8>(), Size::UNKNOWN, Size::EMPTY]);
    }

    #[test]
    fn value_with_one_borrowing_method_is_measured() {
        let stored = sizes::<((UnlessMoved<2, Borrowing, u64>,), Plain)>();
        assert_eq!(stored, [Size::of::<u8>(), Size::EMPTY, Size::of::<u64>()]);
    }

    #[test]
    fn destructor_is_known_without_a_size() {
        let drops = |size: Size| (size.size, size.drops);
        type Two = (OnlyDrops<2, [Box<u8>; 2]>, OnlyDrops<0, u64>);
        let [first, _, third] = sizes::<(Two, Plain)>();
        assert_eq!([drops(first), drops(third)], [(0, false), (0, true)]);
    }

    #[test]
    fn rest_of_a_long_list_replaces_sizes() {
        type One = OnlyDrops<0, u8>;
        type Rest = (OnlyDrops<1, Box<u8>>,);
        type Long = (
            One,
            One,
            One,
            One,
            One,
            One,
            One,
            One,
            One,
            One,
            One,
            One,
            Rest,
        );
        let [_, second, third] = sizes::<(Long, Plain)>();
        assert_eq!([second.drops, third.drops], [true, false]);
    }
}
