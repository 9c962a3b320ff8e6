//! Sizes of values that nobody gave a type, asked of code that is never run.
//!
//! A closure holds the body once. Its first statement never returns, so the compiler infers all types
//! behind it, but asks no borrows and moves of it. The closure's last parameter is a list of
//! [`InferredType`]s without a type of their own; `is` gives each that of a local.
//!
//! ```text
//! probe(&|((stream,), types, unpin): ((Stream,), (InferredType<_>, (InferredType<_>, ())), Type<_>)| -> Output {
//!     let _never = never();
//!     let (t0, (t1, ())) = &types;
//!     let output: Output = {
//!         let mut buf = Vec::new();
//!         let n = { t0.is(&buf); t1.output(stream.read(&mut buf)) }?;
//!         ..
//!     };
//!     unpin.is(&all(&types).__volt_unpin());
//!     output
//! })
//! ```
//!
//! What such code says of regions is lost, and with it a part of what `Send` and `Unpin` ask. So size,
//! alignment and the question for a destructor are taken from here as they are; that all is `Unpin` is
//! asked again of each slot, where the regions are known ([`Movable`](super::Movable)).

use core::future::IntoFuture;
use core::marker::PhantomData;
use core::ops::{ControlFlow, Deref};

use crate::machine::expansion::branch::Branch;
use crate::machine::expansion::native::{AutoTraitAnswer, False, True};

/// The largest alignment there is.
pub(crate) const MAX_ALIGN: usize = 1 << 29;

/// What has to be known of a value to store it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The size in bytes.
    pub size: usize,
    /// The alignment in bytes.
    pub align: usize,
    /// Whether dropping a value does anything.
    pub drops: bool,
}

impl Size {
    /// That of any value: the type of the place is written.
    pub const ANY: Self = Self {
        size: usize::MAX,
        align: usize::MAX,
        drops: true,
    };

    /// That of a type.
    #[must_use]
    pub const fn of<T>() -> Self {
        Self {
            size: size_of::<T>(),
            align: align_of::<T>(),
            drops: core::mem::needs_drop::<T>(),
        }
    }
}

/// A type that is inferred.
#[derive(Debug)]
pub struct InferredType<T>(PhantomData<fn() -> T>);

impl<T> InferredType<T> {
    #[cfg(test)]
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }

    /// Says that it is that of a value.
    pub fn is(&self, _: &T) {}

    /// Says that it is that of a value, and gives the value.
    pub fn value(&self, value: T) -> T {
        value
    }

    /// Says that it is that of a future that is awaited, and gives what that does.
    #[must_use]
    pub fn output<F: IntoFuture<IntoFuture = T>>(&self, _: F) -> F::Output {
        unreachable!("the body of a question was run")
    }
}

/// Types, as `(InferredType<A>, (InferredType<B>, ()))`.
pub trait TypeList {
    /// Their sizes.
    const NODE: Option<&'static SizeNode>;
}

/// Sizes of a list of types.
#[derive(Debug)]
pub struct SizeNode {
    size: Size,
    next: Option<&'static SizeNode>,
}

impl TypeList for () {
    const NODE: Option<&'static SizeNode> = None;
}

impl<T, L: TypeList> TypeList for (InferredType<T>, L) {
    const NODE: Option<&'static SizeNode> = Some(&SizeNode {
        size: Size::of::<T>(),
        next: L::NODE,
    });
}

/// What a body tells of the values that it stores.
#[derive(Clone, Copy, Debug)]
pub struct Probe<const N: usize> {
    /// Their sizes, in the order of the list.
    pub sizes: [Size; N],
    /// Whether all of them are `Unpin`, as far as can be seen without regions.
    pub unpin: bool,
}

/// Asks a body, which is never run.
///
/// # Panics
///
/// If the list is not `N` long.
#[must_use]
pub const fn probe<A, L: TypeList, U: AutoTraitAnswer, R, F, const N: usize>(_: &F) -> Probe<N>
where
    F: FnOnce((A, L, InferredType<U>)) -> R,
{
    let mut sizes = [Size::of::<()>(); N];
    let mut node = L::NODE;
    let mut index = 0;
    while let Some(found) = node {
        sizes[index] = found.size;
        node = found.next;
        index += 1;
    }
    assert!(index == N, "one size for each type");
    Probe {
        sizes,
        unpin: U::IS,
    }
}

/// A list of types that are `Unpin`.
pub trait AllUnpin {}

impl AllUnpin for () {}

impl<T: Unpin, L: AllUnpin> AllUnpin for (InferredType<T>, L) {}

/// A list of types, as the question whether all are `Unpin`.
#[must_use]
pub fn unpin_probe<L>(_: &L) -> UnpinProbe<L> {
    UnpinProbe(NotUnpinProbe(PhantomData))
}

/// The question.
#[derive(Debug)]
pub struct UnpinProbe<L>(NotUnpinProbe<L>);

/// The same of a list of which nothing is known.
#[derive(Debug)]
pub struct NotUnpinProbe<L>(PhantomData<fn() -> L>);

impl<L> Deref for UnpinProbe<L> {
    type Target = NotUnpinProbe<L>;

    fn deref(&self) -> &NotUnpinProbe<L> {
        &self.0
    }
}

impl<L: AllUnpin> UnpinProbe<L> {
    /// The answer where all are `Unpin`.
    #[must_use]
    pub fn __volt_unpin(&self) -> True {
        True
    }
}

impl<L> NotUnpinProbe<L> {
    /// The answer where one is not.
    #[must_use]
    pub fn __volt_unpin(&self) -> False {
        False
    }
}

/// What nobody has.
#[derive(Debug)]
pub enum Never {}

/// Stands in front of code that is compiled and never run.
#[must_use]
pub fn never() -> Never {
    unreachable!("the body of a question was run")
}

/// A place whose type is noted, where nothing runs.
#[must_use]
pub fn note_place<'a, T>(ty: &InferredType<T>, place: &'a T) -> &'a T {
    ty.is(place);
    place
}

/// What a future gives, where nothing runs.
#[must_use]
pub fn output<F: IntoFuture>(_: F) -> F::Output {
    unreachable!("the body of a question was run")
}

/// What the values of a function go through in all that is written of it beside the twin: where they have `?` behind them or
/// are iterated, and where they are taken out of their places, lent or asked. Where the compiler has refused the twin the
/// parameter has no value. Then this is no type, and nothing is said a second time of what goes through it.
///
/// A function that is generic over the value would not do for that: what it gives has a type that is inferred, and where it is
/// lent as what it derefs to that is taken for its type, as `str` for a `String`.
#[derive(Debug)]
pub struct WellTyped<const IS: bool>;

impl<const IS: bool> WellTyped<IS> {
    /// Parts a value that has `?` behind it.
    #[inline]
    pub fn branch<B: Branch>(value: B) -> ControlFlow<B::Residual, (B::Output,)> {
        value.branch()
    }

    /// What stands for a `break` or `continue` out of nothing, of which the compiler speaks in the twin.
    #[must_use]
    pub fn unresolved_jump<T>() -> T {
        unreachable!("the twin is wrong")
    }

    /// What a `for` goes through.
    #[inline]
    pub fn into_iter<I: IntoIterator>(items: I) -> I::IntoIter {
        items.into_iter()
    }
}

/// A type, where the twin is right.
pub trait IfWellTyped<T> {
    /// It.
    type Type;
}

impl<T, const IS: bool> IfWellTyped<T> for WellTyped<IS> {
    type Type = T;
}
