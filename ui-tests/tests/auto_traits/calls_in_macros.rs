//! Methods that await themselves in macros whose patterns take the call apart. Each is `Send`
//! exactly if the plain future is, and `Sync` only if that is.

use std::cell::RefCell;
use std::sync::Arc;

use volt::task::yield_now;

use super::{Ask, AskSync, NotSync as _};

/// Awaits a method of a local.
macro_rules! boxed_method {
    ($of:ident . $method:ident ( $($argument:expr),* )) => {
        Box::pin($of.$method($($argument),*)).await
    };
}

/// Awaits a function of a type.
macro_rules! boxed_path {
    ($of:ident :: $function:ident ( $($argument:expr),* )) => {
        Box::pin($of::$function($($argument),*)).await
    };
}

/// Passes all of its tokens to another macro.
macro_rules! forwarded {
    ($($token:tt)*) => {
        boxed_method!($($token)*)
    };
}

macro_rules! selected {
    ($number:expr; $($value:literal => $of:ident . $method:ident ( $argument:expr )),*) => {
        match $number {
            $($value => Box::pin($of.$method($argument)).await,)*
            _ => 0,
        }
    };
}

/// Holds a value that is not `Sync`, if its argument is a method of a local.
macro_rules! by_rule {
    ($of:ident . $method:ident ( $argument:expr )) => {{
        let cell = RefCell::new(1);
        let value = Box::pin($of.$method($argument)).await;
        value + *cell.borrow()
    }};
    ($future:expr) => {
        Box::pin($future).await
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

            pub(super) struct Node(pub(super) u32);

            $($attr)*
            impl Node {
                $($methods)*
            }
        }
    };
}

versions! {
    pub(super) async fn of_self(&self, n: u32) -> u32 {
        if n == 0 {
            return self.0;
        }
        boxed_method!(self.of_self(n - 1)) + 1
    }

    pub(super) async fn of_local(self: Arc<Self>, n: u32) -> u32 {
        let node = Arc::clone(&self);
        yield_now().await;
        if n == 0 {
            return node.0;
        }
        boxed_method!(node.of_local(n - 1)) + self.0
    }

    pub(super) async fn of_type(&mut self, n: u32) -> u32 {
        if n == 0 {
            return self.0;
        }
        self.0 += 1;
        boxed_path!(Self::of_type(self, n - 1)) + 1
    }

    pub(super) async fn forwarded(&self, n: u32) -> u32 {
        if n == 0 {
            return self.0;
        }
        forwarded!(self.forwarded(n - 1)) + 1
    }

    pub(super) async fn selected(&self, n: u32) -> u32 {
        selected!(n; 1 => self.selected(0), 2 => self.selected(1)) + self.0
    }

    pub(super) async fn by_rule(&self, n: u32) -> u32 {
        if n == 0 {
            return self.0;
        }
        by_rule!(self.by_rule(n - 1)) + 1
    }
}

/// Checks that each version is `Send` as the plain one, is not `Sync`, and returns the same number.
macro_rules! assert_as_plain {
    ($($name:ident of $node:expr, is $traits:expr;)*) => { $({
        let (traits, number) = assert_as_plain!(@plain $name $node);
        assert_eq!(traits, $traits, stringify!($name));
        let machine = ((traits.0, false), number);
        assert_eq!(assert_as_plain!(@chosen $name $node), machine, stringify!($name));
        assert_eq!(assert_as_plain!(@native $name $node), machine, stringify!($name));
    })* };
    (@$module:ident $name:ident $node:expr) => {{
        use $module::*;
        let traits = (is_send!(Node::$name($node, 2)), is_sync!(Node::$name($node, 2)));
        (traits, volt::block_on(Node::$name($node, 2)))
    }};
}

#[test]
fn call_is_matched_by_the_rule_of_the_user() {
    assert_as_plain! {
        of_self of &Node(3), is (true, true);
        of_local of Arc::new(Node(3)), is (true, true);
        of_type of Box::leak(Box::new(Node(3))), is (true, true);
        forwarded of &Node(3), is (true, true);
        selected of &Node(3), is (true, true);
        by_rule of &Node(3), is (true, false);
    }
}
