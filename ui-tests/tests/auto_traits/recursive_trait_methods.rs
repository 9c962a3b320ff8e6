//! Methods of traits that await their own futures in boxes. Each machine is `Send` exactly if the
//! compiler's future of the same text is.

use std::fmt::Debug;
use std::future::Future;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

use super::{Ask, NotSend as _, local_number};

macro_rules! versions {
    ($methods:tt) => {
        methods! { plain [] $methods }
        methods! { chosen [#[volt::state_machine(vis = pub(super))]] $methods }
        methods! { native [#[volt::state_machine(native, vis = pub(super))]] $methods }
    };
}

macro_rules! methods {
    ($module:ident [$(#[$attr:meta])*] { $($methods:tt)* }) => {
        mod $module {
            use super::*;

            pub(super) struct Node;

            pub(super) trait Walk: Sized {
                async fn shared(&self, n: u32) -> u32;
                async fn beside_number(&self, n: u32) -> u32;
                async fn behind_number(&mut self, n: u32) -> u32;
                async fn beside_argument(n: u32, other: Box<dyn Debug>) -> u32;
                async fn by_trait(self: Arc<Self>, n: u32) -> u32;
                async fn generic<T: Debug + Default>(&self, n: u32, value: T) -> u32;
            }

            $(#[$attr])*
            impl Walk for Node {
                $($methods)*
            }
        }
    };
}

versions! {{
    async fn shared(&self, n: u32) -> u32 {
        if n > 0 { Box::pin(self.shared(n - 1)).await + 1 } else { 0 }
    }

    async fn beside_number(&self, n: u32) -> u32 {
        let number = local_number(n);
        if n > 0 {
            Box::pin(Self::beside_number(self, n - 1)).await;
        }
        *number.0
    }

    async fn behind_number(&mut self, n: u32) -> u32 {
        drop(Rc::new(n));
        if n > 0 { Box::pin(Walk::behind_number(self, n - 1)).await + 1 } else { 0 }
    }

    async fn beside_argument(n: u32, other: Box<dyn Debug>) -> u32 {
        if n > 0 {
            Box::pin(Node::beside_argument(n - 1, Box::new(n))).await;
        }
        drop(other);
        n
    }

    async fn by_trait(self: Arc<Self>, n: u32) -> u32 {
        drop(Rc::new(n));
        if n > 0 { Box::pin(<Self as Walk>::by_trait(self, n - 1)).await + 1 } else { 0 }
    }

    async fn generic<T: Debug + Default>(&self, n: u32, value: T) -> u32 {
        if n > 0 {
            Box::pin(self.generic(n - 1, T::default())).await;
        }
        drop(value);
        n
    }
}}

fn of<T>(_: impl FnOnce() -> T) -> Ask<T> {
    Ask(PhantomData)
}

/// Checks which futures of a version are `Send`, and returns their numbers.
macro_rules! check {
    ($module:ident) => {{
        use $module::{Node, Walk};

        let name = stringify!($module);
        let (node, mut other, shared) = (Node, Node, Arc::new(Node));
        assert!(of(|| node.shared(2)).is_send(), "{name}");
        assert!(!of(|| node.beside_number(2)).is_send(), "{name}");
        assert!(of(|| other.behind_number(2)).is_send(), "{name}");
        assert!(
            !of(|| Node::beside_argument(2, Box::new(1))).is_send(),
            "{name}"
        );
        assert!(of(|| shared.clone().by_trait(2)).is_send(), "{name}");
        assert!(of(|| node.generic(2, 1)).is_send(), "{name}");
        assert!(!of(|| node.generic(2, Rc::new(1))).is_send(), "{name}");
        [
            run(node.shared(2)),
            run(node.beside_number(2)),
            run(other.behind_number(2)),
            run(Node::beside_argument(2, Box::new(1))),
            run(shared.by_trait(2)),
            run(node.generic(2, Rc::new(1))),
        ]
    }};
}

fn run(future: impl Future<Output = u32>) -> u32 {
    volt::block_on(future)
}

#[test]
fn trait_machine_is_send_as_plain_future() {
    let expected = check!(plain);
    assert_eq!(expected, [2, 2, 2, 2, 2, 2]);
    assert_eq!(check!(chosen), expected);
    assert_eq!(check!(native), expected);
}
