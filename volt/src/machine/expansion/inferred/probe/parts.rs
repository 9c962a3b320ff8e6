//! The constants of a machine, known before its code is checked: the offsets of its fields, and its
//! auto traits.

use core::marker::PhantomData;

use super::fallback_coroutine::FallbackCoroutine;
use super::fallback_vtable::FallbackVtable;
use super::offsets::{OffsetPlan, StateSet, assign_offsets};
use super::size::{InferredType, MAX_ALIGN, Size};
use super::type_list::{Probe, TypeList, probe};
use crate::machine::expansion::native::{AutoTraitAnswer, AutoTraits};

/// The layout of a machine with any number of fields.
#[derive(Clone, Copy, Debug)]
pub struct MachineLayout {
    /// Offset of each field.
    pub offsets: &'static [usize],
    /// Size of each field, or an empty list if the fields have written types.
    pub sizes: &'static [Size],
    /// Offset of the tag, the byte with the current state.
    pub tag: usize,
    /// `true` if the tag is that of the compiler's own coroutine, which the machine stores.
    pub shares_tag: bool,
    /// Size in bytes.
    pub size: usize,
    /// Alignment in bytes.
    pub align: usize,
    /// `true` if all stored values are `Unpin`, and no future borrows from the machine.
    pub unpin: bool,
    /// The functions of the compiler's own coroutine, if the machine stores that.
    pub fallback: Option<FallbackVtable>,
    /// The size of the compiler's own coroutine in bytes.
    pub reference_size: usize,
    /// The claim that the compiler refuted, if that is why it is stored: the reason and the line.
    pub refuted: Option<(&'static str, u32)>,
}

/// The sizes of all fields, and their offsets.
#[derive(Clone, Copy, Debug)]
pub struct ProbedLayout<const N: usize, const M: usize> {
    plan: OffsetPlan<N>,
    probe: Probe<M>,
    fallback: Option<FallbackVtable>,
    reference_size: usize,
    refuted: Option<(&'static str, u32)>,
}

/// Measures a body that is never run, and gives each of its fields a place ([`assign_offsets`]).
/// The array sets the number of measured sizes. The machine stores the coroutine if that is smaller
/// than its fields.
///
/// # Panics
///
/// Panics if the coroutine is smaller, and the machine may not store it.
#[must_use]
pub const fn layout_of<
    A,
    L: TypeList,
    U: AutoTraitAnswer,
    R,
    F,
    I: FallbackCoroutine,
    const N: usize,
    const M: usize,
>(
    body: F,
    _: [(); M],
    stored: [(StateSet, StateSet); N],
    stored_states: StateSet,
    fallback: PhantomData<I>,
) -> ProbedLayout<N, M>
where
    F: FnOnce((A, L, InferredType<U>)) -> R + Copy,
{
    layout_from(probe(body), stored, stored_states, fallback, None)
}

/// Returns the layout of a measured body, with the first claim about it that the compiler refutes.
///
/// # Panics
///
/// Panics in the same case as [`layout_of`].
#[must_use]
pub const fn layout_from<I: FallbackCoroutine, const N: usize, const M: usize>(
    mut probe: Probe<M>,
    stored: [(StateSet, StateSet); N],
    stored_states: StateSet,
    _: PhantomData<I>,
    refuted: Option<(&'static str, u32)>,
) -> ProbedLayout<N, M> {
    let mut plan = assign_offsets(&probe.sizes, stored, stored_states);
    let mut fallback = None;
    // The coroutine is evaluated last. Its layout depends on those of all machines in it, which are
    // known by then.
    let coroutine = I::SIZE;
    let is_larger = if I::IS_COMPARED {
        plan.is_larger(&probe.sizes, stored_states, coroutine)
    } else {
        plan.align == MAX_ALIGN
    };
    // A refuted claim of a machine that may be larger is an error of its own.
    if refuted.is_some() && I::IS_COMPARED || is_larger {
        assert!(
            I::IS_STORABLE,
            "the state machine is larger than the compiler's future"
        );
        plan = OffsetPlan::of_coroutine(&probe.sizes, stored, coroutine, tag_of::<I>());
        probe.unpin = false;
        fallback = Some(vtable_of::<I>());
    }
    ProbedLayout {
        plan,
        probe,
        fallback,
        reference_size: coroutine.size,
        refuted,
    }
}

/// A claim: `true` if the compiler refutes it, the reason, and the line.
pub type CheckedClaim = (bool, &'static str, u32);

/// Checks a claim about a machine that cannot store the coroutine instead.
///
/// # Panics
///
/// Panics if the claim is refuted.
#[must_use]
#[track_caller]
pub const fn assert_confirmed(claim: CheckedClaim) -> CheckedClaim {
    assert!(!claim.0, "{}", claim.1);
    claim
}

/// Returns the reason and the line of the first claim that is refuted.
#[must_use]
pub const fn first_refuted(claims: &[CheckedClaim]) -> Option<(&'static str, u32)> {
    let mut index = 0;
    while index < claims.len() {
        let (is_refuted, why, line) = claims[index];
        if is_refuted {
            return Some((why, line));
        }
        index += 1;
    }
    None
}

/// Returns the functions of the coroutine. It is a function, because a constant would be evaluated
/// for each machine.
const fn vtable_of<I: FallbackCoroutine>() -> FallbackVtable {
    I::VTABLE
}

/// Returns the offset of the coroutine's tag. It is a function for the same reason.
const fn tag_of<I: FallbackCoroutine>() -> Option<usize> {
    I::TAG
}

impl MachineLayout {
    /// The layout of a machine without fields.
    pub const NONE: Self = Self {
        offsets: &[],
        sizes: &[],
        tag: 0,
        shares_tag: false,
        size: 1,
        align: 1,
        unpin: false,
        fallback: None,
        reference_size: 0,
        refuted: None,
    };

    /// Returns the layout of a machine.
    #[must_use]
    pub const fn of<const N: usize, const M: usize>(layout: &'static ProbedLayout<N, M>) -> Self {
        let ProbedLayout { plan, probe, .. } = layout;
        Self {
            offsets: &plan.offsets,
            sizes: &probe.sizes,
            tag: plan.tag,
            shares_tag: layout.fallback.is_some() && plan.tag < layout.reference_size,
            size: plan.size,
            align: plan.align,
            unpin: probe.unpin,
            fallback: layout.fallback,
            reference_size: layout.reference_size,
            refuted: layout.refuted,
        }
    }

    /// Returns `true` if a type has the measured size of a field. The size is not known if no state
    /// stores the field, which [`assign_offsets`] checks.
    ///
    /// If the compiler's coroutine is stored, no field is. Then the probe may have measured another
    /// size for an awaited future ([`probe_poll_fn`](super::probe_poll_fn())).
    pub(crate) const fn fits<T>(&self, field: usize) -> bool {
        if self.sizes.is_empty() || self.fallback.is_some() {
            return true;
        }
        let measured = self.sizes[field];
        measured.is_unknown()
            || measured.size == size_of::<T>() && measured.align == align_of::<T>()
    }
}

/// The layout of a machine, known before its code is checked.
///
/// All properties that depend on sizes are one constant, because the compiler checks each constant
/// of each machine as a body of its own. Declared properties are a constant of their own, which
/// evaluates nothing, and so are the auto traits ([`AutoTraitInfo`]).
pub trait LayoutInfo {
    /// The layout. The compiler's error shows this name if a machine awaits itself through other
    /// machines.
    const RECURSIVE_MACHINE_NEEDS_BOX_PIN: MachineLayout;
    /// The size of the compiler's own future in bytes.
    const REFERENCE_SIZE: usize = Self::RECURSIVE_MACHINE_NEEDS_BOX_PIN.reference_size;
}

/// The auto traits of the compiler's own coroutine, unless they are declared.
///
/// The constant has an implementation of its own, because that has a bound
/// ([`HasMarker`](crate::machine::expansion::native::HasMarker)). The compiler caches properties of
/// types, such as their layouts, once for all code without bounds, and separately for each
/// implementation with bounds. So [`LayoutInfo`], which needs many types, has no bounds.
pub trait AutoTraitInfo {
    /// The auto traits.
    const AUTO: AutoTraits;
}

/// Returns the machine's size in bytes, for the type of a field. The field calls functions, because
/// a further constant would count towards the recursion limit and add a note to the error about a
/// cycle.
#[must_use]
pub const fn size<M: LayoutInfo>() -> usize {
    M::RECURSIVE_MACHINE_NEEDS_BOX_PIN.size
}

/// Returns the machine's alignment in bytes.
#[must_use]
pub const fn align<M: LayoutInfo>() -> usize {
    M::RECURSIVE_MACHINE_NEEDS_BOX_PIN.align
}

/// Returns `true` if the machine is `Send`.
#[must_use]
pub const fn is_send<M: AutoTraitInfo>() -> bool {
    M::AUTO.send
}

/// Returns `true` if the machine is `Sync`.
#[must_use]
pub const fn is_sync<M: AutoTraitInfo>() -> bool {
    M::AUTO.sync
}

/// Returns `true` if all stored values are `Unpin`, and no future borrows from the machine.
#[must_use]
pub const fn is_unpin<M: LayoutInfo>() -> bool {
    M::RECURSIVE_MACHINE_NEEDS_BOX_PIN.unpin
}
