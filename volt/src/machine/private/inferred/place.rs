//! Where each field lies in the bytes of a machine.
//!
//! A field lives in a set of states. Two that share no state may share bytes; a field keeps its place in
//! all of its states, so going from one state to the next moves nothing.
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
//! A field that lives only between two awaits lies on the stack of the poll.
//!
//! Fields are placed first fit, in two orders, and the better one is taken: largest alignment and size
//! first, or as they were declared.

use super::size::Size;

/// A set of states, one bit each.
pub type States = u128;

/// What is known of a field before it has a place.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its size, alignment and destructor.
    pub size: Size,
    /// The states in which it is stored, whatever it is.
    pub used: States,
    /// Those in which it is stored if it has a destructor, which will run later.
    pub scope: States,
}

impl Field {
    /// The states in which it takes room.
    const fn live(self) -> States {
        match self.size.drops {
            true => self.used | self.scope,
            false => self.used,
        }
    }

    const fn takes_room(self) -> bool {
        self.live() != 0 && self.size.size != 0
    }

    /// The field in those of its states where the machine waits.
    const fn kept(self, waits: States) -> Self {
        match self.live() & waits {
            0 => Self {
                used: 0,
                scope: 0,
                ..self
            },
            _ => self,
        }
    }
}

/// The place of what lives only between two awaits: not in the machine.
pub const NOWHERE: usize = usize::MAX;

/// Fields by their sizes and, for each, the states in which it is stored: whatever it is, and if it has a
/// destructor. More sizes than fields may come behind.
#[must_use]
pub const fn fields<const N: usize, const M: usize>(
    sizes: &[Size; M],
    states: [(States, States); N],
) -> [Field; N] {
    let mut fields = [Field {
        size: Size::of::<()>(),
        used: 0,
        scope: 0,
    }; N];
    let mut index = 0;
    while index < N {
        fields[index] = Field {
            size: sizes[index],
            used: states[index].0,
            scope: states[index].1,
        };
        index += 1;
    }
    fields
}

/// The places of `N` fields and of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan<const N: usize> {
    /// Offset of each field.
    pub at: [usize; N],
    /// Offset of the byte that says which state it is.
    pub tag: usize,
    /// Size in bytes of all.
    pub size: usize,
    /// The largest alignment.
    pub align: usize,
}

/// Gives each field a place that lives in one of the states in which the machine waits.
#[must_use]
pub const fn place<const N: usize>(fields: &[Field; N], waits: States) -> Plan<N> {
    let (mut kept, mut order) = (*fields, [0; N]);
    let mut index = 0;
    while index < N {
        kept[index] = fields[index].kept(waits);
        order[index] = index;
        index += 1;
    }
    let sorted = in_order(&kept, &by_alignment(&kept));
    let declared = in_order(&kept, &order);
    let mut plan = match declared.size < sorted.size {
        true => declared,
        false => sorted,
    };
    let mut index = 0;
    while index < N {
        if fields[index].live() != 0 && kept[index].live() == 0 {
            plan.at[index] = NOWHERE;
        }
        index += 1;
    }
    plan
}

/// The fields, largest alignment first, and of those largest size first.
const fn by_alignment<const N: usize>(fields: &[Field; N]) -> [usize; N] {
    let mut order = [0; N];
    let mut index = 0;
    while index < N {
        let mut to = index;
        while to > 0 && is_before(fields[index].size, fields[order[to - 1]].size) {
            order[to] = order[to - 1];
            to -= 1;
        }
        order[to] = index;
        index += 1;
    }
    order
}

const fn is_before(one: Size, other: Size) -> bool {
    one.align > other.align || (one.align == other.align && one.size > other.size)
}

/// Places the fields in an order, each at the first place that is free in all of its states.
const fn in_order<const N: usize>(fields: &[Field; N], order: &[usize; N]) -> Plan<N> {
    let mut plan = Plan {
        at: [0; N],
        tag: 0,
        size: 0,
        align: 1,
    };
    let mut step = 0;
    while step < N {
        let index = order[step];
        let field = fields[index];
        if field.live() != 0 && field.size.align > plan.align {
            plan.align = field.size.align;
        }
        plan.at[index] = first_fit(fields, order, step, field, &plan);
        if field.takes_room() {
            plan.size = larger(plan.size, plan.at[index] + field.size.size);
        }
        step += 1;
    }
    let tag = Field {
        size: Size::of::<u8>(),
        used: States::MAX,
        scope: 0,
    };
    plan.tag = first_fit(fields, order, N, tag, &plan);
    plan.size = larger(plan.size, plan.tag + 1).next_multiple_of(plan.align);
    plan
}

/// The first place for a field beside those that were placed in the first `steps` of an order.
const fn first_fit<const N: usize>(
    fields: &[Field; N],
    order: &[usize; N],
    steps: usize,
    field: Field,
    plan: &Plan<N>,
) -> usize {
    let mut at = 0;
    if !field.takes_room() {
        return at;
    }
    let mut step = 0;
    while step < steps {
        let (other, start) = (fields[order[step]], plan.at[order[step]]);
        let meets = other.takes_room() && other.live() & field.live() != 0;
        if meets && at < start + other.size.size && start < at + field.size.size {
            at = (start + other.size.size).next_multiple_of(field.size.align);
            // Those before may be in the way of the new place.
            step = 0;
        } else {
            step += 1;
        }
    }
    at
}

const fn larger(one: usize, other: usize) -> usize {
    if one > other { one } else { other }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn field(size: usize, align: usize, used: States, scope: States, drops: bool) -> Field {
        let size = Size { size, align, drops };
        Field { size, used, scope }
    }

    #[test]
    fn fields_that_never_live_together_share_bytes() {
        let fields = [
            field(24, 8, 0b111, 0, true),
            field(48, 8, 0b010, 0, true),
            field(16, 8, 0b100, 0, true),
        ];
        let plan = place(&fields, 0b111);
        assert_eq!(plan.at, [48, 0, 0]);
        assert_eq!((plan.size, plan.align), (80, 8));
    }

    #[test]
    fn tag_takes_a_hole_in_all_states() {
        let plan = place(
            &[field(8, 8, 0b11, 0, false), field(4, 4, 0b10, 0, false)],
            0b11,
        );
        assert_eq!((plan.tag, plan.size), (12, 16));
        let plan = place(
            &[field(8, 8, 0b01, 0, false), field(4, 4, 0b10, 0, false)],
            0b11,
        );
        assert_eq!((plan.tag, plan.size), (8, 16));
        assert_eq!(place(&[], 0).size, 1);
    }

    #[test]
    fn field_kept_for_its_destructor_alone_takes_room_only_with_one() {
        let fields = |drops| [field(8, 8, 0b01, 0b10, drops), field(8, 8, 0b10, 0, false)];
        assert_eq!(place(&fields(true), 0b11).size, 24);
        assert_eq!(place(&fields(false), 0b11).size, 16);
    }

    #[test]
    fn field_that_lives_between_awaits_alone_takes_no_room() {
        let plan = place(
            &[field(8, 8, 0b01, 0, false), field(64, 16, 0b100, 0, false)],
            0b11,
        );
        assert_eq!((plan.at, plan.size, plan.align), ([0, NOWHERE], 16, 8));
    }

    #[test]
    fn largest_alignment_is_kept() {
        let plan = place(
            &[field(1, 1, 1, 0, false), field(32, 1 << 29, 1, 0, false)],
            1,
        );
        assert_eq!((plan.align, plan.at[1] % (1 << 29)), (1 << 29, 0));
        assert_eq!(plan.size, 1 << 29);
    }

    #[test]
    fn no_two_fields_of_one_state_overlap() {
        let mut seed = 7_u64;
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        for _ in 0..if cfg!(miri) { 20 } else { 2000 } {
            let fields: [Field; 7] = core::array::from_fn(|_| {
                let align = 1 << next(5);
                let size = usize::try_from(next(6)).unwrap() * align;
                let used = States::from(next(32));
                field(size, align, used, States::from(next(32)), next(2) == 0)
            });
            let plan = place(&fields, States::MAX);
            for (index, one) in fields.iter().enumerate() {
                if !one.takes_room() {
                    continue;
                }
                let range = plan.at[index]..plan.at[index] + one.size.size;
                assert!(range.end <= plan.size && range.start % one.size.align == 0);
                assert!(!range.contains(&plan.tag));
                for (other, two) in fields.iter().enumerate().take(index) {
                    let free = plan.at[other] + two.size.size <= range.start
                        || range.end <= plan.at[other];
                    assert!(free || one.live() & two.live() == 0 || !two.takes_room());
                }
            }
        }
    }
}
