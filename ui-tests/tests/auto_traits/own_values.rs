//! Own futures in arrays, tuples and arguments before they are boxed, and methods that name
//! themselves as values. Each machine has the auto traits of the compiler's future.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use super::recursive_copies::all;
use super::{Ask, AskSync, NotSend as _, NotSync as _, local_number};

fn heap<F: Future>(future: F) -> Pin<Box<F>> {
    Box::pin(future)
}

async fn both<F: Future<Output = u32>>(first: F, second: F) -> u32 {
    first.await + second.await
}

fn list<F: Future>(futures: Vec<F>) -> impl Future<Output = u32> {
    all(futures.into_iter())
}

fn boxes<F: Future>(futures: [F; 2]) -> [Pin<Box<F>>; 2] {
    futures.map(Box::pin)
}

fn apply<T, R>(function: impl Fn(T) -> R, value: T) -> R {
    function(value)
}

mod other {
    pub(super) struct Columns;

    impl Columns {
        pub(super) fn by_name(node: u32) -> u32 {
            node + 1
        }
    }
}

macro_rules! versions {
    ($functions:tt $methods:tt) => {
        version! { plain [] $functions $methods }
        version! { chosen [#[volt::state_machine]] $functions $methods }
        version! { native [#[volt::state_machine(native)]] $functions $methods }
    };
}

macro_rules! version {
    ($module:ident $attr:tt { $($functions:tt)* } { $($methods:tt)* }) => {
        #[allow(clippy::redundant_closure_for_method_calls, reason = "the forms are tested")]
        mod $module {
            use super::*;

            functions! { $attr $($functions)* }

            #[derive(Clone)]
            pub(super) struct Node(pub(super) Vec<Node>);

            methods! { $attr $($methods)* }
        }
    };
}

macro_rules! functions {
    ($attr:tt) => {};
    ([$($attr:tt)*] async fn $name:ident($arg:ident: u32) -> u32 $body:block $($rest:tt)*) => {
        $($attr)*
        pub(super) async fn $name($arg: u32) -> u32 $body

        functions! { [$($attr)*] $($rest)* }
    };
}

macro_rules! methods {
    ([$($attr:tt)*] $($methods:tt)*) => {
        $($attr)*
        impl Node {
            $($methods)*
        }
    };
}

versions! { {
    async fn in_array(n: u32) -> u32 {
        let mut sum = 1;
        if n > 0 {
            let [first, second] = boxes([in_array(n - 1), in_array(n / 2)]);
            sum += first.await + second.await;
        }
        sum
    }

    async fn in_vec(n: u32) -> u32 {
        if n == 0 { 1 } else { list(vec![in_vec(n - 1), in_vec(n / 2)]).await }
    }

    async fn in_arguments(n: u32) -> u32 {
        if n == 0 { 1 } else { Box::pin(both(in_arguments(n - 1), in_arguments(n / 2))).await }
    }

    async fn beside_number(n: u32) -> u32 {
        let number = local_number(n);
        if n > 0 { heap(both(beside_number(n - 1), beside_number(n / 2))).await } else { *number.0 }
    }

    async fn in_tuple(n: u32) -> u32 {
        if n == 0 {
            return 1;
        }
        let boxed = Box::new((in_tuple(n - 1), in_tuple(n / 2), Rc::new(n)));
        *boxed.2
    }
} {
    pub(super) async fn in_arguments(&self, n: u32) -> u32 {
        if n == 0 { 1 } else { heap(both(self.in_arguments(n - 1), self.in_arguments(n / 2))).await }
    }

    pub(super) async fn in_list(&self, n: u32) -> u32 {
        if n == 0 { 1 } else { list(vec![self.in_list(n - 1), Self::in_list(self, n / 2)]).await }
    }

    pub(super) async fn by_value(&self) -> u32 {
        let visit = Self::by_value;
        let mut sum = 1;
        for child in &self.0 {
            sum += Box::pin(visit(child)).await;
        }
        sum
    }

    pub(super) async fn by_value_beside_number(&self) -> u32 {
        let number = local_number(1);
        let visit = Node::by_value_beside_number;
        let mut sum = *number.0;
        for child in &self.0 {
            sum += heap(visit(child)).await;
        }
        sum + *number.0
    }

    pub(super) async fn in_map(&self) -> u32 {
        all(self.0.iter().map(Self::in_map)).await
    }

    pub(super) async fn by_name(&self) -> u32 {
        let other = apply(other::Columns::by_name, 1);
        let by_type = self.0.iter().map(Node::by_name);
        other + all(by_type.chain(self.0.iter().map(<Self>::by_name))).await
    }
} }

/// Checks that each version has the auto traits of the plain one, and returns the same number.
macro_rules! assert_as_plain {
    ($($($path:ident)::+($($argument:expr),*) is $traits:expr;)*) => { $(
        let expected = assert_as_plain!(@plain [$($path)::+] [$($argument),*] $traits);
        assert_eq!(assert_as_plain!(@chosen [$($path)::+] [$($argument),*] $traits), expected);
        assert_eq!(assert_as_plain!(@native [$($path)::+] [$($argument),*] $traits), expected);
    )* };
    (@$module:ident [$($path:tt)*] [$($argument:expr),*] $traits:expr) => {{
        use $module as version;
        let name = concat!(stringify!($module), "::", stringify!($($path)*));
        let traits = (
            is_send!(version::$($path)*($($argument),*)),
            is_sync!(version::$($path)*($($argument),*)),
        );
        assert_eq!(traits, $traits, "{name}");
        volt::block_on(version::$($path)*($($argument),*))
    }};
}

#[test]
fn own_futures_before_their_box_are_as_plain() {
    assert_as_plain! {
        in_array(3) is (true, true);
        in_vec(3) is (true, true);
        in_arguments(3) is (true, true);
        beside_number(3) is (false, false);
        in_tuple(3) is (true, true);
    }
}

macro_rules! assert_methods {
    ($($name:ident($($argument:expr),*) is $traits:expr;)*) => { $({
        let answers = [
            assert_methods!(@plain $name $($argument)*),
            assert_methods!(@chosen $name $($argument)*),
            assert_methods!(@native $name $($argument)*),
        ];
        assert_eq!(answers[0].0, $traits, stringify!($name));
        assert_eq!(answers, [answers[0]; 3], stringify!($name));
    })* };
    (@$module:ident $name:ident $($argument:expr)?) => {{
        use $module::Node;
        let leaf = Node(Vec::new());
        let tree = Node(vec![leaf.clone(), leaf]);
        let traits = (is_send!(tree.$name($($argument)?)), is_sync!(tree.$name($($argument)?)));
        (traits, volt::block_on(tree.$name($($argument)?)))
    }};
}

#[test]
fn method_with_own_name_as_value_is_as_plain() {
    assert_methods! {
        in_arguments(3) is (true, true);
        in_list(3) is (true, true);
        by_value() is (true, true);
        by_value_beside_number() is (false, false);
        in_map() is (true, true);
        by_name() is (true, true);
    }
}
