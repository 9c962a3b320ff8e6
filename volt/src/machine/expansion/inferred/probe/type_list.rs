//! Lists of inferred types, and their sizes.
//!
//! The macro writes a list as a tuple. One of more than twelve types continues in the thirteenth
//! element of its tuple:
//!
//! ```text
//! (InferredType<A>, InferredType<B>)
//! (InferredType<A>, .., InferredType<L>, (InferredType<M>,))
//! ```
//!
//! The compiler evaluates a constant and a list of bounds for each tuple. With a tuple for each
//! type that cost more than the sizes themselves.

use core::marker::PhantomData;
use core::ops::Deref;

use super::size::{InferredType, Size};
use crate::machine::expansion::native::{AutoTraitAnswer, False, True};

/// The number of types in a tuple, without its rest.
pub(super) const WIDTH: usize = 12;

/// A list of types, as `(InferredType<A>, InferredType<B>)`.
pub trait TypeList {
    /// The sizes of the types.
    const SIZES: SizeNode;
}

/// The sizes of the types in a tuple.
#[derive(Clone, Copy, Debug)]
pub struct SizeNode {
    sizes: [Size; WIDTH],
    count: usize,
    /// The sizes of the tuple with the rest of the list.
    rest: Option<&'static SizeNode>,
    /// The sizes that replace some of the list.
    replaced: Option<&'static ReplacedNode>,
}

/// The sizes that replace some of a list, each with its index.
#[derive(Clone, Copy, Debug)]
pub struct ReplacedNode {
    pub(super) sizes: [(usize, Size); WIDTH],
    pub(super) count: usize,
    /// The replaced sizes of the tuple with the rest of the list.
    pub(super) rest: Option<&'static ReplacedNode>,
}

impl ReplacedNode {
    /// Replaces the sizes in a list.
    const fn replace(&self, sizes: &mut [Size]) {
        let mut node = self;
        loop {
            let mut of_node = 0;
            while of_node < node.count {
                let (index, size) = node.sizes[of_node];
                sizes[index] = size;
                of_node += 1;
            }
            match node.rest {
                Some(rest) => node = rest,
                None => return,
            }
        }
    }
}

impl SizeNode {
    pub(super) const fn with_replaced(self, replaced: &'static ReplacedNode) -> Self {
        Self {
            replaced: Some(replaced),
            ..self
        }
    }
}

/// A list of types that are `Unpin`.
pub trait AllUnpin {}

/// The sizes of the types in a tuple. It calls no function for a node, because the compiler
/// evaluates the call once for each machine.
macro_rules! size_node {
    ($($T:ident)*, $rest:expr) => {{
        #[allow(unused_mut, reason = "an empty tuple has no size")]
        let (mut sizes, mut count) = ([Size::EMPTY; WIDTH], 0);
        $(
            sizes[count] = Size::of::<$T>();
            count += 1;
        )*
        SizeNode { sizes, count, rest: $rest, replaced: None }
    }};
}

macro_rules! implement_lists {
    ($(($($T:ident)*))*) => { $(
        impl<$($T),*> TypeList for ($(InferredType<$T>,)*) {
            const SIZES: SizeNode = size_node!($($T)*, None);
        }

        impl<$($T: Unpin),*> AllUnpin for ($(InferredType<$T>,)*) {}
    )* };
}

implement_lists! {
    () (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H)
    (A B C D E F G H I) (A B C D E F G H I J) (A B C D E F G H I J K) (A B C D E F G H I J K L)
}

macro_rules! implement_rest {
    ($($T:ident)*) => {
        impl<$($T,)* Rest: TypeList> TypeList for ($(InferredType<$T>,)* Rest) {
            const SIZES: SizeNode = size_node!($($T)*, Some(&Rest::SIZES));
        }

        impl<$($T: Unpin,)* Rest: AllUnpin> AllUnpin for ($(InferredType<$T>,)* Rest) {}
    };
}

implement_rest! { A B C D E F G H I J K L }

/// The sizes of the values that a body stores.
#[derive(Clone, Copy, Debug)]
pub struct Probe<const N: usize> {
    /// The sizes, in the order of the list.
    pub sizes: [Size; N],
    /// `true` if all values are `Unpin`, as far as the types show that without regions.
    pub unpin: bool,
}

/// Measures a body that is never run.
///
/// # Panics
///
/// Panics if the list does not have `N` types.
#[must_use]
pub const fn probe<A, L: TypeList, U: AutoTraitAnswer, R, F, const N: usize>(_: F) -> Probe<N>
where
    F: FnOnce((A, L, InferredType<U>)) -> R + Copy,
{
    let mut sizes = [Size::EMPTY; N];
    let (mut node, mut index) = (L::SIZES, 0);
    loop {
        let mut of_node = 0;
        while of_node < node.count {
            sizes[index] = node.sizes[of_node];
            index += 1;
            of_node += 1;
        }
        match node.rest {
            Some(rest) => node = *rest,
            None => break,
        }
    }
    assert!(index == N, "one size for each type");
    if let Some(replaced) = L::SIZES.replaced {
        replaced.replace(&mut sizes);
    }
    Probe {
        sizes,
        unpin: U::IS,
    }
}

/// Returns a probe that determines if all types of a list are `Unpin`.
#[must_use]
pub fn unpin_probe<L>(_: &L) -> UnpinProbe<L> {
    UnpinProbe(NotUnpinProbe(PhantomData))
}

/// The probe.
#[derive(Debug)]
pub struct UnpinProbe<L>(NotUnpinProbe<L>);

/// The probe of a list with any types.
#[derive(Debug)]
pub struct NotUnpinProbe<L>(PhantomData<fn() -> L>);

impl<L> Deref for UnpinProbe<L> {
    type Target = NotUnpinProbe<L>;

    fn deref(&self) -> &NotUnpinProbe<L> {
        &self.0
    }
}

impl<L: AllUnpin> UnpinProbe<L> {
    /// Returns `True`: all types are `Unpin`.
    #[must_use]
    pub fn __volt_unpin(&self) -> True {
        True
    }
}

impl<L> NotUnpinProbe<L> {
    /// Returns `False`: a type is not `Unpin`.
    #[must_use]
    pub fn __volt_unpin(&self) -> False {
        False
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the sizes of a list, as a probe of a closure with that list does.
    fn sizes<L: TypeList, const N: usize>() -> [usize; N] {
        type Parameters<L> = ((), L, InferredType<True>);
        let probe: Probe<N> = probe(|_: Parameters<L>| ());
        probe.sizes.map(|size| size.size)
    }

    type Twelve<Rest> = (
        InferredType<u8>,
        InferredType<u16>,
        InferredType<u32>,
        InferredType<u64>,
        InferredType<u8>,
        InferredType<u16>,
        InferredType<u32>,
        InferredType<u64>,
        InferredType<u8>,
        InferredType<u16>,
        InferredType<u32>,
        InferredType<u64>,
        Rest,
    );

    #[test]
    fn sizes_of_a_tuple_are_in_order() {
        assert_eq!(sizes::<(), 0>().len(), 0);
        assert_eq!(sizes::<(InferredType<u64>, InferredType<u8>), 2>(), [8, 1]);
    }

    #[test]
    fn rest_of_a_long_list_is_measured() {
        let expected = [1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 16];
        assert_eq!(sizes::<Twelve<(InferredType<u128>,)>, 13>(), expected);
    }

    #[test]
    fn every_type_of_a_list_is_probed_for_unpin() {
        type Pinned = InferredType<core::marker::PhantomPinned>;
        fn probed<L>() -> UnpinProbe<L> {
            UnpinProbe(NotUnpinProbe(PhantomData))
        }
        let True = probed::<Twelve<(InferredType<u8>,)>>().__volt_unpin();
        let False = probed::<Twelve<(Pinned,)>>().__volt_unpin();
        let False = probed::<(InferredType<u8>, Pinned)>().__volt_unpin();
    }
}
