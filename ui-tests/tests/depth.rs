//! Machines that await machines, 25 or 100 levels deep, under the compiler's default limits.
//!
//! Most of the test is that the file compiles. An outer machine is declared before the machines
//! that it awaits, because in this order the compiler evaluates most queries.

use std::future::{Future, ready};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// One function a name; each awaits the one behind it, and the last one a future.
macro_rules! nest {
    ([$($options:tt)*] $name:ident $next:ident $($rest:ident)*) => {
        #[volt::state_machine($($options)*)]
        async fn $name(number: u32) -> u32 {
            $next(number).await + 1
        }
        nest! { [$($options)*] $next $($rest)* }
    };
    ([$($options:tt)*] $name:ident) => {
        #[volt::state_machine($($options)*)]
        async fn $name(number: u32) -> u32 {
            ready(number).await + 1
        }
    };
}

/// A module with so many of them.
macro_rules! module {
    ($name:ident $macro_name:ident [$($options:tt)*] [$($auto:ident)?] $($function:ident)*) => {
        mod $name {
            use super::ready;

            $macro_name! { [$($options)*] $($function)* }

            pub(crate) fn first() -> impl Future<Output = u32> $(+ $auto)? {
                a(0_u32)
            }
        }
    };
}

/// Modules with twenty-five each.
macro_rules! nests {
    ($($name:ident $macro_name:ident [$($options:tt)*] $($auto:ident)?;)*) => { $(
        module! {
            $name $macro_name [$($options)*] [$($auto)?]
            a b c d e f g h i j k l m n o p q r s t u v w x y
        }
    )* };
}

/// Modules with a hundred each.
macro_rules! nests_of_100 {
    ($($name:ident [$($options:tt)*];)*) => { $(
        module! {
            $name nest [$($options)*] [Send]
            a b c d e f g h i j k l m n o p q r s t u v w x y
            aa ab ac ad ae af ag ah ai aj ak al am an ao ap aq ar as_ at au av aw ax ay
            ba bb bc bd be bf bg bh bi bj bk bl bm bn bo bp bq br bs bt bu bv bw bx by
            ca cb cc cd ce cf cg ch ci cj ck cl cm cn co cp cq cr cs ct cu cv cw cx cy
        }
    )* };
}

nests_of_100! {
    explicit [explicit];
    native [native];
    native_untraced [native, trace = false];
}

fn output(machine: impl Future<Output = u32>) -> u32 {
    let mut cx = Context::from_waker(Waker::noop());
    match pin!(machine).poll(&mut cx) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("it waits for nothing"),
    }
}

/// The same of functions with a type parameter.
macro_rules! nest_generic {
    ([$($options:tt)*] $name:ident $next:ident $($rest:ident)*) => {
        #[volt::state_machine($($options)*)]
        async fn $name<A: Into<u32> + Send>(number: A) -> u32 {
            $next(number).await + 1
        }
        nest_generic! { [$($options)*] $next $($rest)* }
    };
    ([$($options:tt)*] $name:ident) => {
        #[volt::state_machine($($options)*)]
        async fn $name<A: Into<u32> + Send>(number: A) -> u32 {
            ready(number.into()).await + 1
        }
    };
}

nests! {
    generic nest_generic [native];
    generic_boxed nest_generic [boxed, send] Send;
}

#[test]
fn machines_with_type_parameters_nest_25_deep() {
    assert_eq!(output(generic::first()), 25);
    assert_eq!(output(generic_boxed::first()), 25);
}

#[test]
fn machines_without_type_parameters_nest_100_deep() {
    assert_eq!(output(explicit::first()), 100);
    assert_eq!(output(native::first()), 100);
    assert_eq!(output(native_untraced::first()), 100);
}
