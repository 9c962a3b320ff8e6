//! The space that is left on the stack of a thread.
//!
//! A blocking join may poll its target on the stack of the joiner, and the target may join in turn.
//! So each join checks the space that is left on the real stack, which other code uses too. The
//! operating system reports the bounds of the stack; each thread queries them once.
//!
//! If the system does not report them, [`ASSUMED`] bytes are assumed to be left at the first check
//! of the thread.

use std::cell::Cell;

use crate::loom::thread_local_const;

/// The space that is assumed if the system reports none. Few threads have less than twice as much.
const ASSUMED: usize = 512 << 10;
/// The minimum space for a poll, for stacks of any size.
const LEAST: usize = 128 << 10;

/// The bounds of a stack, which grows from `high` to `low`.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    low: usize,
    high: usize,
}

/// The addresses of a stack at which at least half of it is left.
#[derive(Clone, Copy, Debug)]
struct UpperHalf {
    low: usize,
    high: usize,
}

thread_local_const! {
    static UPPER_HALF: Cell<Option<UpperHalf>> = Cell::new(None);
}

/// Returns `true` if at least half of the stack of this thread is left, and enough of it for a
/// poll.
///
/// Returns `false` on a stack that is not the one of the thread, such as that of a coroutine.
pub(crate) fn is_half_of_stack_left() -> bool {
    let here = here();
    let half = UPPER_HALF.with(|half| {
        let known = half.get().unwrap_or_else(|| measure_or_assume(here));
        half.set(Some(known));
        known
    });
    half.contains(here)
}

impl Bounds {
    fn upper_half(self) -> UpperHalf {
        let half = (self.high - self.low) / 2;
        UpperHalf {
            low: self.low.saturating_add(half.max(LEAST)),
            high: self.high,
        }
    }
}

impl UpperHalf {
    fn contains(self, address: usize) -> bool {
        (self.low..=self.high).contains(&address)
    }
}

#[cold]
fn measure_or_assume(here: usize) -> UpperHalf {
    measure().map_or_else(|| assume(here), Bounds::upper_half)
}

fn assume(here: usize) -> UpperHalf {
    UpperHalf {
        low: here.saturating_sub(ASSUMED / 2),
        high: usize::MAX,
    }
}

/// Returns the approximate end of the used stack.
#[inline(never)]
fn here() -> usize {
    let local = 0_u8;
    std::ptr::from_ref(std::hint::black_box(&local)).addr()
}

#[cfg(all(
    any(target_os = "linux", target_os = "android"),
    not(any(miri, all(test, shuttle)))
))]
fn measure() -> Option<Bounds> {
    let mut attributes = std::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
    // SAFETY: The function has no requirements.
    let thread = unsafe { libc::pthread_self() };
    // SAFETY: The thread is the current one, and `attributes` has room for its attributes.
    if unsafe { libc::pthread_getattr_np(thread, attributes.as_mut_ptr()) } != 0 {
        return None;
    }
    let (mut low, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: The attributes were written above, and `low` and `size` have the types that are
    // written.
    let failed = unsafe { libc::pthread_attr_getstack(attributes.as_ptr(), &mut low, &mut size) };
    // SAFETY: The attributes were written above, and are not used again.
    unsafe { libc::pthread_attr_destroy(attributes.as_mut_ptr()) };
    let low = low.addr();
    (failed == 0).then_some(Bounds {
        low,
        high: low.checked_add(size)?,
    })
}

#[cfg(all(target_vendor = "apple", not(any(miri, all(test, shuttle)))))]
fn measure() -> Option<Bounds> {
    // SAFETY: The function has no requirements.
    let thread = unsafe { libc::pthread_self() };
    // SAFETY: The thread is the current one.
    let high = unsafe { libc::pthread_get_stackaddr_np(thread) }.addr();
    // SAFETY: The thread is the current one.
    let size = unsafe { libc::pthread_get_stacksize_np(thread) };
    let low = high.checked_sub(size)?;
    Some(Bounds { low, high })
}

/// Models run on other stacks, which the system does not report.
#[cfg(any(
    miri,
    all(test, shuttle),
    not(any(target_os = "linux", target_os = "android", target_vendor = "apple"))
))]
fn measure() -> Option<Bounds> {
    None
}

#[cfg(all(test, not(shuttle)))]
mod tests {
    use super::{ASSUMED, Bounds, LEAST, assume, here, is_half_of_stack_left, measure};
    use std::hint::black_box;
    use std::thread;

    /// Calls `call` when the stack has grown down to the address.
    fn below(address: usize, call: fn() -> bool) -> bool {
        let used = black_box([0_u8; 256]);
        let result = if used.as_ptr().addr() > address {
            below(address, call)
        } else {
            call()
        };
        black_box(&used);
        result
    }

    /// Returns the results on a thread with `kib` KiB of stack, slightly above its middle and
    /// slightly below. The system may reserve more than was requested.
    fn around_the_middle(kib: usize) -> [bool; 2] {
        let builder = thread::Builder::new().stack_size(kib << 10);
        let thread = builder.spawn(|| {
            let bounds = measure().expect("this system reports the bounds");
            let middle = bounds.low + (bounds.high - bounds.low) / 2;
            [middle + 4096, middle - 4096].map(|address| below(address, is_half_of_stack_left))
        });
        thread.unwrap().join().unwrap()
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri reports no bounds")]
    fn half_is_computed_from_the_real_size() {
        assert_eq!(around_the_middle(512), [true, false]);
        assert_eq!(around_the_middle(4096), [true, false]);
    }

    #[test]
    fn half_of_a_small_stack_is_not_enough() {
        let low = 8 * LEAST;
        let bounds = |size| Bounds {
            low,
            high: low + size,
        };
        assert!(!bounds(LEAST).upper_half().contains(low + LEAST - 1));
        let half = bounds(LEAST + LEAST / 2).upper_half();
        assert!(half.contains(low + LEAST) && !half.contains(low + LEAST - 1));
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri reports no bounds")]
    fn bounds_contain_addresses_of_locals() {
        let bounds = measure().expect("this system reports the bounds");
        let here = here();
        assert!(bounds.low < here && here < bounds.high, "{bounds:?} {here}");
    }

    #[test]
    fn addresses_on_other_stacks_have_no_space() {
        let half = Bounds {
            low: 8 * LEAST,
            high: 16 * LEAST,
        }
        .upper_half();
        assert!(half.contains(12 * LEAST) && half.contains(16 * LEAST));
        assert!(!half.contains(12 * LEAST - 1) && !half.contains(16 * LEAST + 1));
        assert!(!half.contains(LEAST));
    }

    #[test]
    fn half_of_an_assumed_stack_is_used_by_calls() {
        let half = assume(10 * ASSUMED);
        assert!(half.contains(10 * ASSUMED) && half.contains(11 * ASSUMED));
        assert!(half.contains(10 * ASSUMED - ASSUMED / 2) && !half.contains(9 * ASSUMED));
    }
}
