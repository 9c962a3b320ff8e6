//! Tests of the placement of fields.

use super::*;

type StoredField = (Size, (StateSet, StateSet));

const fn field(
    size: usize,
    align: usize,
    used: StateSet,
    scope: StateSet,
    drops: bool,
) -> StoredField {
    (Size { size, align, drops }, (used, scope))
}

fn assign_offsets<const N: usize>(fields: &[StoredField; N], saved: StateSet) -> OffsetPlan<N> {
    super::assign_offsets(
        &fields.map(|(size, _)| size),
        fields.map(|(_, stored)| stored),
        saved,
    )
}

/// Returns the states in which a field needs bytes.
fn room((size, (used, scope)): StoredField) -> StateSet {
    match size {
        Size { size: 0, .. } => 0,
        Size { drops: true, .. } => used | scope,
        _ => used,
    }
}

#[test]
fn disjoint_fields_share_bytes() {
    let fields = [
        field(24, 8, 0b111, 0, true),
        field(48, 8, 0b010, 0, true),
        field(16, 8, 0b100, 0, true),
    ];
    let plan = assign_offsets(&fields, 0b111);
    assert_eq!(plan.offsets, [48, 0, 0]);
    assert_eq!((plan.size, plan.align), (80, 8));
}

#[test]
fn tag_fills_padding_of_all_states() {
    let plan = assign_offsets(
        &[field(8, 8, 0b11, 0, false), field(4, 4, 0b10, 0, false)],
        0b11,
    );
    assert_eq!((plan.tag, plan.size), (12, 16));
    let plan = assign_offsets(
        &[field(8, 8, 0b01, 0, false), field(4, 4, 0b10, 0, false)],
        0b11,
    );
    assert_eq!((plan.tag, plan.size), (8, 16));
    assert_eq!(assign_offsets(&[], 0).size, 1);
}

#[test]
fn field_for_drop_needs_a_destructor() {
    let fields = |drops| [field(8, 8, 0b01, 0b10, drops), field(8, 8, 0b10, 0, false)];
    assert_eq!(assign_offsets(&fields(true), 0b11).size, 24);
    assert_eq!(assign_offsets(&fields(false), 0b11).size, 16);
}

#[test]
fn field_between_awaits_is_not_stored() {
    let plan = assign_offsets(
        &[field(8, 8, 0b01, 0, false), field(64, 16, 0b100, 0, false)],
        0b11,
    );
    assert_eq!(
        (plan.offsets, plan.size, plan.align),
        ([0, NO_OFFSET], 16, 8)
    );
}

#[test]
fn plan_is_larger_than_a_smaller_coroutine() {
    // An argument, a local, and the awaited future.
    let stored = [(0b01, 0), (0b10, 0), (0b10, 0)];
    let sizes = [size(8), size(64), size(8)];
    let plan = super::assign_offsets(&sizes, stored, 0b11);
    assert_eq!(plan.size, 80);
    assert!(plan.is_larger(&sizes, 0b11, size(24)));
    assert!(!plan.is_larger(&sizes, 0b11, size(80)));
    // The awaited future is never stored.
    assert!(!plan.is_larger(&sizes, 0b11, size(8)));
    let native = OffsetPlan::of_coroutine(&sizes, stored, size(24), None);
    assert_eq!(
        (native.offsets, native.tag),
        ([0, NO_OFFSET, NO_OFFSET], 24)
    );
    assert_eq!((native.size, native.align), (32, 8));
}

#[test]
fn arguments_are_beside_the_tag_of_a_coroutine() {
    let byte = Size {
        size: 1,
        align: 1,
        drops: false,
    };
    let sizes = [byte, size(16), size(8), byte];
    let stored = [(0b01, 0), (0b01, 0), (0b01, 0), (0b10, 0)];
    let plan = |coroutine, tag| OffsetPlan::of_coroutine(&sizes, stored, size(coroutine), tag);
    let fits = plan(40, Some(16));
    assert_eq!(fits.offsets, [32, 0, 24, NO_OFFSET]);
    assert_eq!((fits.tag, fits.size), (16, 40));
    // The tag is at the end, and all arguments are before it.
    let last = plan(32, Some(31));
    assert_eq!(last.offsets, [24, 0, 16, NO_OFFSET]);
    assert_eq!((last.tag, last.size), (31, 32));
    let unknown = plan(40, None);
    assert_eq!((unknown.tag, unknown.size), (40, 48));
    // After the tag the argument would take more bytes than with a tag of its own.
    let stored = [(0b10, 0), (0b01, 0), (0b10, 0), (0b10, 0)];
    let own = OffsetPlan::of_coroutine(&sizes, stored, size(16), Some(8));
    assert_eq!((own.tag, own.size), (16, 24));
}

const fn size(size: usize) -> Size {
    let (align, drops) = (8, false);
    Size { size, align, drops }
}

#[test]
fn plan_has_the_largest_alignment() {
    let plan = assign_offsets(
        &[field(1, 1, 1, 0, false), field(32, 1 << 29, 1, 0, false)],
        1,
    );
    assert_eq!((plan.align, plan.offsets[1] % (1 << 29)), (1 << 29, 0));
    assert_eq!(plan.size, 1 << 29);
}

#[test]
fn fields_of_one_state_do_not_overlap() {
    let mut seed = 7_u64;
    let mut next = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % below
    };
    for _ in 0..if cfg!(miri) { 20 } else { 2000 } {
        let fields: [StoredField; 7] = core::array::from_fn(|_| {
            let align = 1 << next(5);
            let size = usize::try_from(next(6)).unwrap() * align;
            let used = StateSet::from(next(32));
            field(size, align, used, StateSet::from(next(32)), next(2) == 0)
        });
        let plan = assign_offsets(&fields, StateSet::MAX);
        for (index, one) in fields.iter().enumerate() {
            if room(*one) == 0 {
                continue;
            }
            let range = plan.offsets[index]..plan.offsets[index] + one.0.size;
            assert!(range.end <= plan.size && range.start % one.0.align == 0);
            assert!(!range.contains(&plan.tag));
            for (other, two) in fields.iter().enumerate().take(index) {
                let free = plan.offsets[other] + two.0.size <= range.start
                    || range.end <= plan.offsets[other];
                assert!(free || room(*one) & room(*two) == 0);
            }
        }
    }
}

/// Returns the first place for a field, found by a search of all places.
fn first_fit_by_search(others: &[PlacedField], field: PlacedField) -> usize {
    let is_free = |start: &usize| {
        others.iter().all(|other| {
            other.states & field.states == 0
                || other.end <= *start
                || start + field.size <= other.start
        })
    };
    (0..).step_by(field.align).find(is_free).unwrap()
}

#[test]
fn first_fit_returns_the_least_free_place() {
    let mut seed = 3_u64;
    let mut next = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from((seed >> 33) % below).unwrap()
    };
    for _ in 0..if cfg!(miri) { 20 } else { 2000 } {
        // The others are in any order, so a place that moved up can overlap an earlier one.
        let others: [PlacedField; 6] = core::array::from_fn(|number| {
            let (start, size) = (next(24), next(6));
            let states = 1 + next(7) as StateSet;
            let mut field = PlacedField::new(
                number,
                Size {
                    size,
                    ..Size::EMPTY
                },
                states,
            );
            (field.start, field.end) = (start, start + size);
            field
        });
        let (align, size) = (1 << next(4), 1 + next(8));
        let drops = false;
        let field = PlacedField::new(0, Size { size, align, drops }, 1 + next(7) as StateSet);
        let expected = first_fit_by_search(&others, field);
        assert_eq!(first_fit(&others, others.len(), field), expected);
    }
}

#[test]
fn size_of_a_field_without_a_state_may_be_unknown() {
    let fields = [field(8, 8, 0b1, 0, false), (Size::UNKNOWN, (0b100, 0b1000))];
    let plan = assign_offsets(&fields, 0b11);
    assert_eq!((plan.offsets, plan.size), ([0, NO_OFFSET], 16));
}

#[test]
#[should_panic(expected = "the size of each stored value is known")]
fn size_of_a_stored_field_is_known() {
    assign_offsets(&[(Size::UNKNOWN, (0b10, 0))], 0b11);
}
