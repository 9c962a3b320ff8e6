//! How a caller finds the machine of a method: by the type and the method's name.
//!
//! The machine of a function stands among the types under the function's own path. A method has
//! no such place, for a type cannot have types of its own. So each method of a machine `impl`
//! says what its machine is, under a number made of its name.

use core::ops::Deref;
use core::pin::Pin;
#[cfg(feature = "rt")]
use std::{boxed::Box, rc::Rc, sync::Arc};

/// The type has a method of this name that is a state machine.
///
/// `OWN` are the type parameters of the method itself, as a turbofish gives them.
#[diagnostic::on_unimplemented(
    message = "what this method of `{Self}` returns cannot be seen",
    label = "no state machine of this name, with these type parameters",
    note = "if the method is yours, put `#[volt::state_machine]` on its `impl` block",
    note = "otherwise write `#[volt::state_machine(native)]` on the function that awaits it: a native \
            machine takes any future",
    note = "book: errors.md#no-machine"
)]
pub trait Method<const NAME: u64, OWN> {
    /// What a machine keeps while it awaits the method.
    type Machine;
}

/// Through a pinned pointer, a method is that of what it points to.
#[diagnostic::do_not_recommend]
impl<const NAME: u64, OWN, P> Method<NAME, OWN> for Pin<P>
where
    P: Deref<Target: Method<NAME, OWN>>,
{
    type Machine = <P::Target as Method<NAME, OWN>>::Machine;
}

#[cfg(feature = "rt")]
macro_rules! through {
    ($($Pointer:ident),*) => {
        $(
            /// Through the pointer, a method is that of what it points to.
            #[diagnostic::do_not_recommend]
            impl<const NAME: u64, OWN, T> Method<NAME, OWN> for $Pointer<T>
            where
                T: Method<NAME, OWN> + ?Sized,
            {
                type Machine = T::Machine;
            }
        )*
    };
}

#[cfg(feature = "rt")]
through!(Arc, Box, Rc);

/// The number of a method's name, where the type has the method.
///
/// As this stands in a constant, a type that has none is one error: nothing that depends on a
/// constant with an error is looked at again.
#[must_use]
pub const fn method_of<T: Method<NAME, OWN> + ?Sized, OWN, const NAME: u64>() -> u64 {
    NAME
}

/// The number of a method's name: FNV-1a, 64 bits.
#[must_use]
pub const fn method(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut index = 0;
    while index < bytes.len() {
        hash = (hash ^ bytes[index] as u64).wrapping_mul(0x0100_0000_01b3);
        index += 1;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_fnv_1a() {
        assert_eq!(method(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(method("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(method("foobar"), 0x8594_4171_f739_67e8);
    }
}
