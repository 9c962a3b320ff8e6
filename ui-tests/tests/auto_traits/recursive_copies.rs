//! Functions that await their own futures in boxes, next to values that are `Send` or not. Each
//! machine is `Send` exactly if the compiler's future of the same text is.
#![allow(
    clippy::let_underscore_future,
    reason = "some futures are dropped at once"
)]

use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};

use volt::task::yield_now;

use super::{Ask, AskSync, NotSend as _, NotSync as _, local_number};

fn erased<'a, T>(future: impl Future<Output = T> + 'a) -> Pin<Box<dyn Future<Output = T> + 'a>> {
    Box::pin(future)
}

fn sized<T>(_: &T) -> u32 {
    u32::from(size_of::<T>() > 0)
}

macro_rules! boxed {
    ($future:expr) => {
        Box::pin($future)
    };
}

/// Futures that are polled one after the other.
pub(super) struct All<F>(Vec<Pin<Box<F>>>);

pub(super) fn all<F: Future>(futures: impl Iterator<Item = F>) -> All<F> {
    All(futures.map(Box::pin).collect())
}

impl<F: Future> Future for All<F> {
    type Output = u32;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        while let Some(first) = self.0.first_mut() {
            if first.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
            drop(self.0.remove(0));
        }
        Poll::Ready(1)
    }
}

/// Declares each function three times: plain, in the layout that the macro chooses, and native.
macro_rules! versions {
    ($($(#[$attr:meta])* async fn $name:ident($($arg:ident: $ty:ty),*) -> u32 $body:block)*) => {
        mod plain {
            use super::*;

            $($(#[$attr])* pub(super) async fn $name($($arg: $ty),*) -> u32 $body)*
        }

        mod chosen {
            use super::*;

            $(#[volt::state_machine] $(#[$attr])* pub(super) async fn $name($($arg: $ty),*) -> u32 $body)*
        }

        mod native {
            use super::*;

            $(#[volt::state_machine(native)] $(#[$attr])* pub(super) async fn $name($($arg: $ty),*) -> u32 $body)*
        }
    };
}

versions! {
    async fn beside_number(n: u32) -> u32 {
        let number = local_number(n);
        if n > 0 {
            Box::pin(beside_number(n - 1)).await;
        }
        *number.0
    }

    async fn behind_number(n: u32) -> u32 {
        {
            let number = Rc::new(n);
            drop(number);
        }
        if n > 0 { Box::pin(behind_number(n - 1)).await + 1 } else { 0 }
    }

    async fn beside_erased(n: u32) -> u32 {
        let other = erased(async move { n });
        if n > 0 {
            Box::pin(beside_erased(n - 1)).await;
        }
        other.await
    }

    async fn erases_own(n: u32) -> u32 {
        if n > 0 { erased(erases_own(n - 1)).await + 1 } else { 0 }
    }

    async fn beside_reference(n: &u32) -> u32 {
        let cell = Cell::new(*n);
        let seen = &cell;
        if *n > 0 {
            boxed!(beside_reference(&(n - 1))).await;
        }
        seen.get()
    }

    async fn in_list(n: u32) -> u32 {
        if n > 0 { all((0..n).map(in_list)).await + n } else { 0 }
    }

    async fn in_list_beside_number(n: u32) -> u32 {
        let number = local_number(n);
        if n > 0 {
            all((0..n).map(|k| in_list_beside_number(k / 2))).await;
        }
        *number.0
    }

    async fn drops_bound(n: u32) -> u32 {
        if n > 0 {
            let _ = drops_bound(n - 1);
        }
        yield_now().await;
        n
    }

    async fn drops_in_block(n: u32) -> u32 {
        async {
            let _ = drops_in_block(n + 1);
            yield_now().await;
        }
        .await;
        n
    }

    #[allow(unused_must_use, reason = "the future is dropped at once")]
    async fn drops_statement(n: u32) -> u32 {
        drops_statement(n + 1);
        yield_now().await;
        let number = local_number(n);
        drops_statement(n + 1);
        *number.0
    }

    async fn beside_own_reference(n: u32) -> u32 {
        let own = Box::pin(beside_own_reference(n / 2));
        let seen = &own;
        yield_now().await;
        if n > 0 { sized(seen) + n } else { n }
    }

    async fn beside_own_reference_and_cell(n: u32) -> u32 {
        let number = Cell::new(n);
        let own = Box::pin(beside_own_reference_and_cell(n / 2));
        let seen = &own;
        yield_now().await;
        if number.get() > 0 { sized(seen) + n } else { n }
    }

    async fn beside_own_exclusive(n: u32) -> u32 {
        let number = Cell::new(n);
        let mut own = Box::pin(beside_own_exclusive(n / 2));
        let seen = &mut own;
        yield_now().await;
        if number.get() > 0 { sized(seen) + n } else { n }
    }

    async fn in_cell(n: u32) -> u32 {
        let own = Cell::new(None);
        if n > 0 {
            own.set(Some(Box::pin(in_cell(n - 1))));
        }
        yield_now().await;
        drop(own);
        n
    }

    async fn of_local_name(n: u32) -> u32 {
        let inner = {
            async fn of_local_name(n: u32) -> u32 {
                yield_now().await;
                n
            }
            let number = local_number(n);
            Box::pin(of_local_name(n)).await + *number.0
        };
        if n > 0 { Box::pin(of_local_name(n - 1)).await + inner } else { inner }
    }
}

/// Checks that the versions are `Send` as given, `Sync` as the plain future, and return the same
/// number.
macro_rules! assert_versions {
    ($($name:ident($argument:expr) is $send:literal;)*) => { $(
        let name = stringify!($name);
        assert_eq!(is_send!(plain::$name($argument)), $send, "{name}");
        assert_eq!(is_send!(chosen::$name($argument)), $send, "{name}");
        assert_eq!(is_send!(native::$name($argument)), $send, "{name}");
        let is_sync = is_sync!(plain::$name($argument));
        assert_eq!(is_sync!(chosen::$name($argument)), is_sync, "{name}");
        assert_eq!(is_sync!(native::$name($argument)), is_sync, "{name}");
        let expected = volt::block_on(plain::$name($argument));
        assert_eq!(volt::block_on(chosen::$name($argument)), expected, "{name}");
        assert_eq!(volt::block_on(native::$name($argument)), expected, "{name}");
    )* };
}

#[test]
fn recursive_machine_is_send_as_plain_future() {
    assert_versions! {
        beside_number(2) is false;
        behind_number(2) is true;
        beside_erased(2) is false;
        erases_own(2) is false;
        beside_reference(&2) is false;
        in_list(2) is true;
        in_list_beside_number(2) is false;
        of_local_name(2) is false;
        drops_bound(2) is true;
        drops_in_block(2) is true;
        drops_statement(2) is true;
        beside_own_reference(2) is true;
        beside_own_reference_and_cell(2) is false;
        beside_own_exclusive(2) is true;
        in_cell(2) is true;
    }
}

/// Declares a type three times, with the same methods.
macro_rules! trees {
    ($methods:tt) => {
        tree! { plain_tree [] $methods }
        tree! { chosen_tree [#[volt::state_machine]] $methods }
        tree! { native_tree [#[volt::state_machine(native)]] $methods }
    };
}

macro_rules! tree {
    ($module:ident [$(#[$attr:meta])*] { $($methods:tt)* }) => {
        mod $module {
            use super::*;

            #[derive(Clone)]
            pub(super) struct Branch {
                value: u32,
                children: Vec<Branch>,
            }

            $(#[$attr])*
            impl Branch {
                $($methods)*
            }

            pub(super) fn tree() -> Branch {
                let leaf = |value| Branch { value, children: Vec::new() };
                Branch { value: 1, children: vec![leaf(2), leaf(3)] }
            }
        }
    };
}

trees! {{
    pub(super) async fn sum(&self, by: u32) -> u32 {
        let mut sum = self.value * by;
        for child in &self.children {
            sum += Box::pin(child.sum(by)).await;
        }
        sum
    }

    pub(super) async fn sum_beside_number(&self, by: u32) -> u32 {
        let number = local_number(by);
        for child in &self.children {
            Box::pin(child.sum_beside_number(by)).await;
        }
        *number.0
    }

    pub(super) async fn in_list(&self, by: u32) -> u32 {
        all(self.children.iter().map(|child| child.in_list(by))).await + self.value
    }

    pub(super) async fn in_list_beside_number(&self, by: u32) -> u32 {
        let number = local_number(by);
        all(self.children.iter().map(|child| Self::in_list_beside_number(child, by))).await + *number.0
    }

    pub(super) async fn by_macro(&mut self, by: u32) -> u32 {
        let number = local_number(by);
        if by > 0 {
            boxed!(self.by_macro(by - 1)).await;
        }
        *number.0
    }

    pub(super) async fn shared(self: Arc<Self>, by: u32) -> u32 {
        {
            let number = Rc::new(by);
            drop(number);
        }
        if by > 0 { Box::pin(self.clone().shared(by - 1)).await + 1 } else { self.value }
    }

    pub(super) async fn erased(&self, by: u32) -> u32 {
        if by > 0 { erased(self.erased(by - 1)).await } else { self.value }
    }

    pub(super) async fn drops_bound(&self, by: u32) -> u32 {
        let _ = self.drops_bound(by + 1);
        yield_now().await;
        self.value
    }

    pub(super) async fn drops_path(&self, by: u32) -> u32 {
        yield_now().await;
        let _ = Branch::drops_path(self, by + 1);
        self.value
    }

    pub(super) async fn without_receiver(tree: &Branch, by: u32) -> u32 {
        let number = local_number(tree.value);
        if by > 0 {
            Box::pin(Self::without_receiver(tree, by - 1)).await;
        }
        *number.0
    }
}}

/// Checks that the versions of a method are `Send` as given, `Sync` as the plain future, and return
/// the same number.
macro_rules! assert_methods {
    ($($name:ident($receiver:ident => $argument:expr) is $send:literal;)*) => { $(
        let name = stringify!($name);
        let expected = assert_methods!(@plain_tree $name $receiver $argument, $send);
        assert_eq!(assert_methods!(@chosen_tree $name $receiver $argument, $send), expected, "{name}");
        assert_eq!(assert_methods!(@native_tree $name $receiver $argument, $send), expected, "{name}");
    )* };
    (@$module:ident $name:ident $receiver:ident $argument:expr, $send:literal) => {{
        #[allow(unused_mut, reason = "few methods change the tree")]
        let mut $receiver = $module::tree();
        let name = concat!(stringify!($module), "::", stringify!($name));
        assert_eq!(is_send!($module::Branch::$name($argument, 2)), $send, "{name}");
        assert_eq!(is_sync!($module::Branch::$name($argument, 2)), {
            #[allow(unused_mut, reason = "few methods change the tree")]
            let mut $receiver = plain_tree::tree();
            is_sync!(plain_tree::Branch::$name($argument, 2))
        }, "{name}");
        volt::block_on($module::Branch::$name($argument, 2))
    }};
}

#[test]
fn recursive_method_is_send_as_plain_future() {
    assert_methods! {
        sum(tree => &tree) is true;
        sum_beside_number(tree => &tree) is false;
        in_list(tree => &tree) is true;
        in_list_beside_number(tree => &tree) is false;
        by_macro(tree => &mut tree) is false;
        shared(tree => Arc::new(tree.clone())) is true;
        erased(tree => &tree) is false;
        drops_bound(tree => &tree) is true;
        drops_path(tree => &tree) is true;
        without_receiver(tree => &tree) is false;
    }
}
