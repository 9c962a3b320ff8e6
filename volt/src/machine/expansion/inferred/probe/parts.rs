//! What is known of a machine before anything is asked of its code: where its fields are, and whether it may go
//! to other threads.

use super::fallback_coroutine::FallbackCoroutine;
use super::fallback_vtable::FallbackVtable;
use super::offsets::{OffsetPlan, StateSet, assign_offsets};
use super::size::{InferredType, Probe, Size, TypeList, probe};
use crate::machine::expansion::native::{AutoTraitAnswer, AutoTraits};

/// The places of a machine, whatever their number.
#[derive(Clone, Copy, Debug)]
pub struct MachineLayout {
    /// Offset of each field.
    pub offsets: &'static [usize],
    /// Size of each field, or none of them if their types are written.
    pub sizes: &'static [Size],
    /// Offset of the byte that says which state it is.
    pub tag: usize,
    /// Size in bytes.
    pub size: usize,
    /// Alignment in bytes.
    pub align: usize,
    /// Whether all that is stored is `Unpin`, and nothing of it is lent.
    pub unpin: bool,
    /// What is done with the compiler's own coroutine, where that is stored.
    pub fallback: Option<FallbackVtable>,
    /// The size of the compiler's own coroutine.
    pub reference_size: usize,
    /// The claim that the compiler refuted, if that is why: the reason and the line.
    pub refuted: Option<(&'static str, u32)>,
    /// Whether the compiler's own coroutine is `Send`, and `Sync`, unless that is declared.
    pub auto: AutoTraits,
}

/// The sizes of all fields, and their places.
#[derive(Clone, Copy, Debug)]
pub struct ProbedLayout<const N: usize, const M: usize> {
    plan: OffsetPlan<N>,
    probe: Probe<M>,
    fallback: Option<FallbackVtable>,
    reference_size: usize,
    refuted: Option<(&'static str, u32)>,
}

/// Asks a body, which is never run, and gives each of its fields a place, as [`assign_offsets`] does. The first array says how
/// many sizes are asked for. The coroutine takes the place of all fields if it is smaller than they are.
///
/// # Panics
///
/// If it is, and may not.
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
    body: &F,
    _: [(); M],
    stored: [(StateSet, StateSet); N],
    waits: StateSet,
    instead: &I,
) -> ProbedLayout<N, M>
where
    F: FnOnce((A, L, InferredType<U>)) -> R,
{
    layout_from(probe(body), stored, waits, instead, None)
}

/// The same of a body that was asked, and of the first claim about it that the compiler refutes.
///
/// # Panics
///
/// As [`layout_of`] does.
#[must_use]
pub const fn layout_from<I: FallbackCoroutine, const N: usize, const M: usize>(
    mut probe: Probe<M>,
    stored: [(StateSet, StateSet); N],
    waits: StateSet,
    _: &I,
    refuted: Option<(&'static str, u32)>,
) -> ProbedLayout<N, M> {
    let mut plan = assign_offsets(&probe.sizes, stored, waits);
    let mut fallback = None;
    // The coroutine is asked last: its layout needs that of all machines in it, which are known by then.
    let coroutine = I::SIZE;
    if refuted.is_some() || plan.is_larger(&probe.sizes, waits, coroutine) {
        assert!(
            I::IS_STORABLE,
            "the state machine is larger than the compiler's future"
        );
        plan = OffsetPlan::of_coroutine(&probe.sizes, stored, coroutine);
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

/// A claim about a machine that cannot keep the coroutine instead.
///
/// # Panics
///
/// If the claim is refuted.
#[must_use]
#[track_caller]
pub const fn assert_confirmed(is_refuted: bool, why: &'static str) -> (bool, &'static str, u32) {
    assert!(!is_refuted, "{}", why);
    (false, why, 0)
}

/// The first claim that is refuted, of those with whether they are, their reasons and their lines.
#[must_use]
pub const fn first_refuted(claims: &[(bool, &'static str, u32)]) -> Option<(&'static str, u32)> {
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

/// What is done with the coroutine. A call, as the constant itself would be computed for each machine.
const fn vtable_of<I: FallbackCoroutine>() -> FallbackVtable {
    I::VTABLE
}

impl MachineLayout {
    /// Those of a machine without fields.
    pub const NONE: Self = Self {
        offsets: &[],
        sizes: &[],
        tag: 0,
        size: 1,
        align: 1,
        unpin: false,
        fallback: None,
        reference_size: 0,
        refuted: None,
        auto: AutoTraits::NONE,
    };

    /// The places of a machine.
    #[must_use]
    pub const fn of<const N: usize, const M: usize>(
        made: &'static ProbedLayout<N, M>,
        auto: AutoTraits,
    ) -> Self {
        let ProbedLayout { plan, probe, .. } = made;
        Self {
            offsets: &plan.offsets,
            sizes: &probe.sizes,
            tag: plan.tag,
            size: plan.size,
            align: plan.align,
            unpin: probe.unpin,
            fallback: made.fallback,
            reference_size: made.reference_size,
            refuted: made.refuted,
            auto,
        }
    }

    /// Whether a type is as the one that was asked for the size of a field. Where the compiler's coroutine is stored no field
    /// is, and of what is awaited the probe may have told another size ([`probe_poll_fn`](super::probe_poll_fn())).
    pub(crate) const fn fits<T>(&self, field: usize) -> bool {
        if self.sizes.is_empty() || self.fallback.is_some() {
            return true;
        }
        let Size { size, align, .. } = self.sizes[field];
        size == size_of::<T>() && align == align_of::<T>()
    }
}

/// What is known of a machine before anything is asked of its code.
///
/// All that is asked of the compiler is one constant, because it checks each constant of each machine as a body of its
/// own. What is declared is another one: to say it asks nothing.
pub trait LayoutInfo {
    /// Where its fields are. Its name stands in the error where the machine awaits itself by way of others.
    const RECURSIVE_MACHINE_NEEDS_BOX_PIN: MachineLayout;
    /// The size of the compiler's own future.
    const REFERENCE_SIZE: usize = Self::RECURSIVE_MACHINE_NEEDS_BOX_PIN.reference_size;
}

/// The machine's size in bytes, for the struct. That asks functions, as each constant on the way is a step that counts
/// towards the recursion limit, and a note in the error about a circle.
#[must_use]
pub const fn size<M: LayoutInfo>() -> usize {
    M::RECURSIVE_MACHINE_NEEDS_BOX_PIN.size
}

/// The machine's alignment.
#[must_use]
pub const fn align<M: LayoutInfo>() -> usize {
    M::RECURSIVE_MACHINE_NEEDS_BOX_PIN.align
}

/// Whether the machine is `Send`.
#[must_use]
pub const fn is_send<M: LayoutInfo>() -> bool {
    M::RECURSIVE_MACHINE_NEEDS_BOX_PIN.auto.send
}

/// Whether the machine is `Sync`.
#[must_use]
pub const fn is_sync<M: LayoutInfo>() -> bool {
    M::RECURSIVE_MACHINE_NEEDS_BOX_PIN.auto.sync
}

/// Whether all that is stored is `Unpin`, and nothing of it is lent.
#[must_use]
pub const fn is_unpin<M: LayoutInfo>() -> bool {
    M::RECURSIVE_MACHINE_NEEDS_BOX_PIN.unpin
}
