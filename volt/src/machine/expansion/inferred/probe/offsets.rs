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
    /// have their places, and then the coroutine has them.
    ///
    /// The tag of the machine is that of the coroutine, if this is known and the arguments fit
    /// beside it without more memory. Otherwise it has a byte of its own.
    pub(crate) const fn of_coroutine(
        sizes: &[Size],
        stored: [(StateSet, StateSet); N],
        coroutine: Size,
        tag: Option<usize>,
    ) -> Self {
        const START: StateSet = 1;
        let mut plan = assign_offsets(sizes, stored, START);
        if plan.align < coroutine.align {
            plan.align = coroutine.align;
        }
        // The plan has a tag already, which may be in the bytes of the coroutine.
        let own = if plan.tag < coroutine.size {
            larger(plan.size, coroutine.size)
        } else {
            plan.tag
        };
        let shared = match tag {
            Some(tag) => place_beside(plan, sizes, stored, tag),
            None => plan,
        };
        plan.tag = own;
        plan.size = larger(plan.size, own + 1).next_multiple_of(plan.align);
        let size = larger(shared.size, coroutine.size).next_multiple_of(plan.align);
        if tag.is_none() || size >= plan.size {
            return plan;
        }
        Self { size, ..shared }
    }
}

const fn larger(first: usize, second: usize) -> usize {
    if first < second { second } else { first }
}

/// Places the fields that are stored at the start before or after a tag, by descending alignment.
const fn place_beside<const N: usize>(
    mut plan: OffsetPlan<N>,
    sizes: &[Size],
    stored: [(StateSet, StateSet); N],
    tag: usize,
) -> OffsetPlan<N> {
    let (mut before, mut after, mut align) = (0_usize, tag + 1, plan.align);
    while align > 0 {
        let mut number = 0;
        while number < N {
            let (size, (used, scope)) = (sizes[number], stored[number]);
            let states = if size.drops { used | scope } else { used };
            if states & 1 != 0 && size.align == align && size.size > 0 {
                let first = before.next_multiple_of(align);
                if first + size.size <= tag {
                    plan.offsets[number] = first;
                    before = first + size.size;
                } else {
                    plan.offsets[number] = after.next_multiple_of(align);
                    after = plan.offsets[number] + size.size;
                }
            }
            number += 1;
        }
        align /= 2;
    }
    plan.tag = tag;
    plan.size = after;
    plan
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
    end: usize,
}

impl PlacedField {
    /// A field without bytes.
    const EMPTY: Self = Self::new(0, Size::EMPTY, 0);

    /// The tag, which is stored in all states.
    const TAG: Self = Self::new(0, Size::BYTE, StateSet::MAX);

    const fn new(number: usize, size: Size, states: StateSet) -> Self {
        let Size { size, align, .. } = size;
        Self {
            number,
            size,
            align,
            states,
            start: 0,
            end: size,
        }
    }
}

/// Gives an offset to each field that is stored in a state in which the machine waits.
///
/// Each field has two sets of states: those in which it is always stored, and those in which it is
/// stored only if its type has a destructor. The list of sizes may be longer than that of the
/// fields.
///
/// # Panics
///
/// Panics if the size of a stored field is not known.
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
    let mut declared = [PlacedField::EMPTY; N];
    let (mut count, mut number) = (0, 0);
    while number < N {
        let (size, (used, scope)) = (sizes[number], stored[number]);
        let states = if size.drops { used | scope } else { used };
        if states & saved != 0 {
            assert!(!size.is_unknown(), "the size of each stored value is known");
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
        let field_end = start + field.size;
        fields[index].start = start;
        fields[index].end = field_end;
        if field_end > end {
            end = field_end;
        }
        index += 1;
    }
    let tag = first_fit(fields, count, PlacedField::TAG);
    if tag == end {
        end += 1;
    }
    (tag, end.next_multiple_of(align))
}

/// Returns the first place for a field that overlaps none of the first `count` others.
///
/// The place moves up to the end of each field that it overlaps. So it can later overlap only a
/// field that was above it, and another pass is necessary only if it has moved after that.
const fn first_fit(others: &[PlacedField], count: usize, field: PlacedField) -> usize {
    let mut start = 0;
    loop {
        let (mut index, mut is_below_another, mut is_checked) = (0, false, true);
        while index < count {
            let other = others[index];
            if other.states & field.states != 0 && start < other.end {
                if other.start < start + field.size {
                    start = other.end.next_multiple_of(field.align);
                    is_checked &= !is_below_another;
                } else {
                    is_below_another = true;
                }
            }
            index += 1;
        }
        if is_checked {
            return start;
        }
    }
}

#[cfg(test)]
mod tests;
