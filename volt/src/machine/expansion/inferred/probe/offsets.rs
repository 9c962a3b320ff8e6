//! The offset of each field in the bytes of a machine.
//!
//! A field is live in a set of states. Two fields that share no state may share bytes. A field
//! keeps its place in all of its states, so a step between states moves nothing.
//!
//! ```text
//!             state 1   state 2   state 3
//!  stream    ├─────────────────────────────┤   0..24
//!  buf       ├───────────────────┤             24..48
//!  read      ├─────────┤                       48..96
//!  count               ├─────────┤             48..64      shares with `read`
//!  write                         ├─────────┤   24..80      shares with `buf`, `read` and `count`
//!  tag       ├─────────────────────────────┤   the first byte that is free in all states
//! ```
//!
//! A field that is live only between two awaits is on the stack of the poll.
//!
//! The placement is *first-fit decreasing*: fields are sorted by alignment and size, and each gets
//! the first free place. If that leaves padding, first fit in the order of the declarations is
//! tried too, and the smaller plan is used.

use super::size::{MAX_ALIGN, Size};

/// A set of states, one bit each.
pub type StateSet = u128;

/// The offset of a field that is live only between two awaits: it is not in the machine.
pub const NO_OFFSET: usize = usize::MAX;

/// The offsets of `N` fields and of the tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffsetPlan<const N: usize> {
    /// Offset of each field.
    pub offsets: [usize; N],
    /// Offset of the tag, the byte with the current state.
    pub tag: usize,
    /// Size in bytes of the machine.
    pub size: usize,
    /// The largest alignment.
    pub align: usize,
}

impl<const N: usize> OffsetPlan<N> {
    /// Returns `true` if the plan is larger than the compiler's coroutine.
    ///
    /// After a call that never returns, such as `exit(1)`, the compiler stores nothing, but the
    /// machine stores all that the text names. An awaited future that is as large as the coroutine
    /// shows this case: if it could be stored, the coroutine would contain it and a state. So with
    /// such a future the plan does not count as larger. The fields of the awaited futures are the
    /// last ones. A field with the largest alignment marks a future that cannot be stored
    /// ([`probe_poll_fn`](super::probe_poll_fn())).
    pub(crate) const fn is_larger(&self, sizes: &[Size], saved: StateSet, coroutine: Size) -> bool {
        let mut awaits = saved.count_ones() - 1;
        if self.size <= coroutine.size || awaits == 0 {
            return false;
        }
        let (mut index, mut is_stored) = (N, true);
        while awaits > 0 {
            index -= 1;
            awaits -= 1;
            if sizes[index].align == MAX_ALIGN {
                return true;
            }
            is_stored &= self.offsets[index] == NO_OFFSET || sizes[index].size < coroutine.size;
        }
        is_stored
    }

    /// Returns the plan of a machine that stores the compiler's coroutine. At first the arguments
    /// have their places. Then the coroutine has all bytes but the last one, the tag, which
    /// distinguishes the two.
    pub(crate) const fn of_coroutine(
        sizes: &[Size],
        stored: [(StateSet, StateSet); N],
        coroutine: Size,
    ) -> Self {
        const START: StateSet = 1;
        let mut plan = assign_offsets(sizes, stored, START);
        if plan.size < coroutine.size {
            plan.size = coroutine.size;
        }
        if plan.align < coroutine.align {
            plan.align = coroutine.align;
        }
        plan.tag = plan.size;
        plan.size = (plan.tag + 1).next_multiple_of(plan.align);
        plan
    }
}

/// A field that needs bytes in the machine.
#[derive(Clone, Copy)]
struct PlacedField {
    number: usize,
    size: usize,
    align: usize,
    /// The states in which the field is stored.
    states: StateSet,
    start: usize,
}

impl PlacedField {
    const fn new(number: usize, size: Size, states: StateSet) -> Self {
        let Size { size, align, .. } = size;
        let start = 0;
        Self {
            number,
            size,
            align,
            states,
            start,
        }
    }
}

/// Gives an offset to each field that is stored in a state in which the machine waits.
///
/// Each field has two sets of states: those in which it is always stored, and those in which it is
/// stored only if its type has a destructor. The list of sizes may be longer than that of the
/// fields.
#[must_use]
pub const fn assign_offsets<const N: usize>(
    sizes: &[Size],
    stored: [(StateSet, StateSet); N],
    saved: StateSet,
) -> OffsetPlan<N> {
    let mut plan = OffsetPlan {
        offsets: [0; N],
        tag: 0,
        size: 0,
        align: 1,
    };
    let mut declared = [PlacedField::new(0, Size::of::<()>(), 0); N];
    let (mut count, mut number) = (0, 0);
    while number < N {
        let (size, (used, scope)) = (sizes[number], stored[number]);
        let states = if size.drops { used | scope } else { used };
        if states & saved != 0 {
            if size.align > plan.align {
                plan.align = size.align;
            }
            if size.size != 0 {
                declared[count] = PlacedField::new(number, size, states);
                count += 1;
            }
        } else if states != 0 {
            plan.offsets[number] = NO_OFFSET;
        }
        number += 1;
    }
    let mut fields = declared;
    let is_sorted = sort(&mut fields, count);
    (plan.tag, plan.size) = fit(&mut fields, count, plan.align);
    if !is_sorted && plan.size > min_size(&declared, count, saved).next_multiple_of(plan.align) {
        let (tag, size) = fit(&mut declared, count, plan.align);
        if size < plan.size {
            (plan.tag, plan.size, fields) = (tag, size, declared);
        }
    }
    while count > 0 {
        count -= 1;
        let field = fields[count];
        plan.offsets[field.number] = field.start;
    }
    plan
}

/// Sorts the fields by descending alignment, then by descending size. Returns `true` if they were
/// sorted already.
const fn sort(fields: &mut [PlacedField], count: usize) -> bool {
    let (mut index, mut was_sorted) = (1, true);
    while index < count {
        let (field, mut to) = (fields[index], index);
        while to > 0 {
            let other = fields[to - 1];
            if other.align > field.align || other.align == field.align && other.size >= field.size {
                break;
            }
            fields[to] = other;
            to -= 1;
        }
        if to != index {
            fields[to] = field;
            was_sorted = false;
        }
        index += 1;
    }
    was_sorted
}

/// Returns the least possible size of the machine: that of its fullest state, and one byte for the
/// tag.
const fn min_size(fields: &[PlacedField], count: usize, saved: StateSet) -> usize {
    let (mut most, mut state) = (0, 0);
    while state < StateSet::BITS && saved >> state != 0 {
        let (mut bytes, mut index) = (0, 0);
        while index < count {
            let field = fields[index];
            if field.states >> state & 1 != 0 {
                bytes += field.size;
            }
            index += 1;
        }
        if bytes > most {
            most = bytes;
        }
        state += 1;
    }
    most + 1
}

/// Places the fields in their order, each at the first place that is free in all of its states, and
/// then the tag. Returns the offset of the tag and the size of the machine.
const fn fit(fields: &mut [PlacedField], count: usize, align: usize) -> (usize, usize) {
    let (mut index, mut end) = (0, 0);
    while index < count {
        let field = fields[index];
        let start = first_fit(fields, index, field);
        fields[index].start = start;
        if start + field.size > end {
            end = start + field.size;
        }
        index += 1;
    }
    let tag = first_fit(
        fields,
        count,
        PlacedField::new(0, Size::of::<u8>(), StateSet::MAX),
    );
    if tag == end {
        end += 1;
    }
    (tag, end.next_multiple_of(align))
}

/// Returns the first place for a field that overlaps none of the first `count` others.
const fn first_fit(others: &[PlacedField], count: usize, field: PlacedField) -> usize {
    let (mut start, mut index) = (0, 0);
    while index < count {
        let other = others[index];
        let end = other.start + other.size;
        if other.states & field.states != 0 && start < end && other.start < start + field.size {
            start = end.next_multiple_of(field.align);
            // Earlier fields may overlap the new place.
            index = 0;
        } else {
            index += 1;
        }
    }
    start
}

#[cfg(test)]
mod tests {
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
        let native = OffsetPlan::of_coroutine(&sizes, stored, size(24));
        assert_eq!(
            (native.offsets, native.tag),
            ([0, NO_OFFSET, NO_OFFSET], 24)
        );
        assert_eq!((native.size, native.align), (32, 8));
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
}
