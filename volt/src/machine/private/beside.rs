//! What stands beside the states of a machine.

use core::fmt;
use core::marker::PhantomPinned;

/// The locals that every state keeps.
///
/// They are lent to each poll by a reference of which the compiler believes no more than of one to
/// its own futures: it is told neither that nobody else has one nor that it may read ahead. So
/// it reads a local where it is used. Where it knows more, it reads several early and at once,
/// although they have just been written one by one, and then the processor waits for the writes.
pub struct Beside<T> {
    /// The locals.
    pub locals: T,
    /// What is pinned may be pointed to from elsewhere.
    _shared: PhantomPinned,
}

impl<T> Beside<T> {
    /// Puts them there.
    #[inline]
    pub fn new(locals: T) -> Self {
        let _shared = PhantomPinned;
        Self { locals, _shared }
    }
}

impl<T> fmt::Debug for Beside<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Beside")
    }
}

#[cfg(test)]
#[allow(
    dead_code,
    unused_parens,
    clippy::unused_unit,
    clippy::undocumented_unsafe_blocks,
    reason = "the states are those of expanded code"
)]
mod tests {
    use core::future::Ready;

    use super::*;

    crate::__volt_states! {
        []
        machine [] Machine [] [] []
        beside (u64, u64,)
        enum States {
            0usize Start {}
            1usize Wait { #[pin] future: Ready<()>, }
        }
        likely { Wait }
        rooms {}
        next Next []
    }

    fn is_unpin<T: Unpin>(_: &T) {}

    #[test]
    fn locals_beside_the_states_take_their_room_and_leave_the_machine_as_it_is() {
        let machine = Machine {
            states: States::Start {},
            beside: Beside::new((1, 2)),
        };
        is_unpin(&machine);
        assert_eq!(size_of_val(&machine.beside), size_of::<(u64, u64)>());
        assert_eq!(machine.beside.locals, (1, 2));
    }
}
