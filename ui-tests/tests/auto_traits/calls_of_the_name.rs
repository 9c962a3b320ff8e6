//! Methods that await themselves, next to calls of other methods of their names. The compiler
//! infers the outputs of those calls from later uses. The machines have the auto traits of the
//! plain futures.

use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use volt::task::yield_now;

use super::recursive_copies::all;
use super::{Ask, AskSync, NotSend as _, NotSync as _, local_number};

fn heap<F: Future>(future: F) -> Pin<Box<F>> {
    Box::pin(future)
}

/// Columns whose types the compiler infers, under names of the methods below.
struct Columns;

macro_rules! columns {
    ($($name:ident)*) => {
        impl Columns {
            $(fn $name<T: From<u8>>(&self, column: u32) -> T {
                T::from(u8::try_from(column).unwrap_or(0))
            })*
        }
    };
}

columns! { get sum column list by_pattern in_block shared kept by_macro }

fn number(n: u32) -> u32 {
    n
}

macro_rules! heaped {
    ($future:expr) => {
        heap($future)
    };
}

macro_rules! first_of {
    ($pattern:pat = $future:expr => $value:expr) => {
        match heap($future).await {
            $pattern => $value,
        }
    };
}

macro_rules! versions {
    ($($methods:tt)*) => {
        version! { plain [] { $($methods)* } }
        version! { chosen [#[volt::state_machine]] { $($methods)* } }
        version! { native [#[volt::state_machine(native)]] { $($methods)* } }
    };
}

macro_rules! version {
    ($module:ident [$($attr:tt)*] { $($methods:tt)* }) => {
        mod $module {
            use super::*;

            #[derive(Clone)]
            pub(super) struct Node(pub(super) u32);

            $($attr)*
            #[allow(
                clippy::let_and_return,
                clippy::let_with_type_underscore,
                clippy::match_single_binding,
                clippy::useless_vec,
                reason = "the forms are tested"
            )]
            impl Node {
                $($methods)*
            }
        }
    };
}

versions! {
    pub(super) async fn get(&self, n: u32) -> u32 {
        let local = local_number(n);
        let rows: Vec<u32> = [Columns].iter().map(|row| row.get(1)).collect();
        if n > 0 {
            heap(Node(0).get(n - 1)).await;
        }
        *local.0 + rows[0]
    }

    pub(super) async fn sum(self: Arc<Self>, n: u32) -> u32 {
        let value = Columns.sum(2);
        let later = (0..n.min(2)).map(|_| Arc::clone(&self).sum(n - 1));
        let below = all(later).await;
        number(value) + below
    }

    pub(super) async fn column(&mut self, n: u32) -> u32 {
        let value = number(Columns.column(3));
        let field = Node(Columns.column(1));
        if n > 0 {
            self.0 += 1;
            value + heap(self.column(n - 1)).await
        } else {
            self.0 + field.0
        }
    }

    pub(super) async fn list(&self, n: u32) -> u32 {
        let local = local_number(n);
        let mut list = vec![Columns.list(1), 5_u32];
        list.push(Columns.list(2));
        let mut futures = Vec::new();
        if n > 0 {
            futures.push(self.list(n - 1));
        }
        drop(local);
        all(futures.into_iter()).await + list[0] + list[2]
    }

    pub(super) async fn by_pattern(self, n: u32) -> u32 {
        if n == 0 {
            return self.0;
        }
        let value: u64 = match Columns.by_pattern(1) { 0 => 2, other => other };
        let local = Rc::new(value);
        match self.by_pattern(n - 1) {
            future => heap(future).await + u32::try_from(*local).unwrap_or(0),
        }
    }

    pub(super) async fn in_block(&self, n: u32) -> u32 {
        let value = { Columns.in_block(1) };
        if n > 0 {
            let below = heap(async { self.in_block(n - 1).await }).await;
            below + number(value)
        } else {
            number(value)
        }
    }

    pub(super) async fn shared(&self, n: u32) -> u32 {
        let value = Columns.shared(1);
        let cell = Cell::new(number(value));
        if n > 0 {
            let future: _ = self.shared(n - 1);
            let below = heap(future).await;
            below + cell.get()
        } else {
            cell.get()
        }
    }

    pub(super) async fn kept(&self, n: u32) -> u32 {
        let mut later = None;
        if n > 0 {
            later = Some(heap(self.kept(n - 1)));
        }
        yield_now().await;
        let value = Columns.kept(1);
        match later {
            Some(later) => later.await + number(value),
            None => number(value),
        }
    }

    pub(super) async fn by_macro(&self, n: u32) -> u32 {
        let local = local_number(n);
        let value = vec![Columns.by_macro(1), 2_u32];
        if n == 0 {
            return value[0];
        }
        let below = heaped!(Columns.by_macro::<Count>(1).node(self).by_macro(n - 1)).await;
        let other = first_of!(below = self.by_macro(n - 1) => below + 1);
        below + other + *local.0
    }
}

/// A column by which a method returns its argument.
struct Count(u8);

impl From<u8> for Count {
    fn from(column: u8) -> Self {
        Self(column)
    }
}

impl Count {
    fn node<T>(&self, node: T) -> T {
        assert_eq!(self.0, 1);
        node
    }
}

/// Checks that each version has the auto traits of the plain one, and returns the same number.
macro_rules! assert_as_plain {
    ($($name:ident of $node:expr, is $traits:expr;)*) => { $({
        let answers = [
            assert_as_plain!(@plain $name $node),
            assert_as_plain!(@chosen $name $node),
            assert_as_plain!(@native $name $node),
        ];
        let [(traits, _), ..] = answers;
        assert_eq!(traits, $traits, stringify!($name));
        assert_eq!(answers, [answers[0]; 3], stringify!($name));
    })* };
    (@$module:ident $name:ident $node:expr) => {{
        use $module::*;
        let traits = (is_send!(Node::$name($node, 2)), is_sync!(Node::$name($node, 2)));
        (traits, volt::block_on(Node::$name($node, 2)))
    }};
}

#[test]
fn recursion_beside_calls_of_its_name() {
    assert_as_plain! {
        get of &Node(1), is (false, false);
        sum of Arc::new(Node(1)), is (true, true);
        column of Box::leak(Box::new(Node(1))), is (true, true);
        list of &Node(1), is (true, true);
        by_pattern of Node(1), is (false, false);
        in_block of &Node(1), is (true, true);
        shared of &Node(1), is (true, false);
        kept of &Node(1), is (true, true);
        by_macro of &Node(1), is (false, false);
    }
}
