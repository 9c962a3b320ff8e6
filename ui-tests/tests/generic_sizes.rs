//! A native machine with type parameters is not larger than the compiler's future.

#[path = "native_sizes/parts.rs"]
mod parts;
#[path = "native_sizes/turn.rs"]
mod turn;

use self::parts::{Part, part, send};
use self::turn::turn;

/// Generic functions: plain, and as machines.
macro_rules! generic_functions {
    ($($name:ident $generics:tt ($($parameters:tt)*) $body:block [$($arguments:expr),*])*) => {
        generic_functions!(@ generic_plain [] $($name $generics [$($parameters)*] $body)*);
        generic_functions!(
            @ generic_traced [#[volt::state_machine(native)]]
            $($name $generics [$($parameters)*] $body)*
        );

        #[test]
        fn generic_machine_is_as_large_as_the_future() {
            $(
                let plain = size_of_val(&generic_plain::$name($($arguments),*));
                let traced = size_of_val(&generic_traced::$name($($arguments),*));
                let name = stringify!($name);
                assert!(traced <= plain, "{name}: {traced} for {plain}");
            )*
        }
    };
    (@ $module:ident $attr:tt $($name:ident $generics:tt $parameters:tt $body:block)*) => {
        mod $module {
            use super::{Part, send, turn};
            $(generic_functions!(@@ $attr $name $generics $parameters $body);)*
        }
    };
    (@@ [$($attr:tt)*] $name:ident [$($generics:tt)*] [$($parameters:tt)*] $body:block) => {
        $($attr)*
        pub(super) async fn $name<$($generics)*>($($parameters)*) -> usize $body
    };
}

generic_functions! {
    taken [T](value: T) { send(value).await } [1_u8]
    held [T](value: T) { turn().await; size_of_val(&value) } [part()]
    held_twice [T, U](value: T, other: U) {
        send(&value).await + send(&other).await
    } [1_u8, part()]
    unawaited [T](value: T) { size_of_val(&value) } [1_u64]
    called [F: Fn() -> T, T](call: F) { send(call()).await + send(call()).await } [|| 1_u32]
    in_a_block [T](value: T) { async { send(&value).await }.await } [part()]
    moved [T](value: T, more: Part) { send((value, more)).await } [1_u16, part()]
}
