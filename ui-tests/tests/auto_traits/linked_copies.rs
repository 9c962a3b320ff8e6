//! Functions that await each other in boxes. Each machine is `Send` and `Sync` exactly if the
//! compiler's future of the same text is.

use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use volt::task::yield_now;

use super::{Ask, AskSync, NotSend as _, NotSync as _, local_number};

/// Declares functions and types three times: plain, in the layout that the macro chooses, and
/// native. The attribute shows the macro that the functions of these names are machines.
macro_rules! versions {
    ($($items:tt)*) => {
        items! { plain [] $($items)* }
        items! { chosen [#[volt::state_machine]] $($items)* }
        items! { native [#[volt::state_machine(native)]] $($items)* }
    };
}

macro_rules! items {
    ($module:ident $attrs:tt { $($functions:tt)* } { $($methods:tt)* }) => {
        pub(super) mod $module {
            use super::*;

            functions! { $attrs $($functions)* }

            #[derive(Clone, Copy)]
            pub(in super::super) struct Walker<'a> {
                pub(super) seen: &'a Cell<u32>,
                pub(super) limit: u32,
            }

            methods! { $attrs $($methods)* }
        }
    };
}

macro_rules! functions {
    ([$(#[$attr:meta])*]) => {};
    ([$(#[$attr:meta])*] #[state_machine] async fn $name:ident($($arg:tt)*) -> u32 $body:block $($rest:tt)*) => {
        $(#[$attr])*
        pub(in super::super) async fn $name($($arg)*) -> u32 $body

        functions! { [$(#[$attr])*] $($rest)* }
    };
}

macro_rules! methods {
    ([$(#[$attr:meta])*] #[state_machine] $($block:tt)*) => {
        $(#[$attr])*
        $($block)*
    };
}

versions! { {
    #[state_machine]
    async fn swing_left(n: u32) -> u32 {
        if n == 0 { 0 } else { Box::pin(swing_right(n - 1)).await + 1 }
    }

    #[state_machine]
    async fn swing_right(n: u32) -> u32 {
        yield_now().await;
        if n == 0 { 0 } else { Box::pin(swing_left(n - 1)).await + 2 }
    }

    #[state_machine]
    async fn unboxed_to(n: u32) -> u32 {
        boxed_from(n).await + 1
    }

    #[state_machine]
    async fn boxed_from(n: u32) -> u32 {
        if n == 0 { 0 } else { Box::pin(unboxed_to(n - 1)).await }
    }

    #[state_machine]
    async fn first_of_ring(n: u32) -> u32 {
        if n == 0 { 1 } else { Box::pin(second_of_ring(&n)).await }
    }

    #[state_machine]
    async fn second_of_ring(n: &u32) -> u32 {
        let less = n - 1;
        Box::pin(third_of_ring(&less, n)).await + n
    }

    #[state_machine]
    async fn third_of_ring(less: &u32, more: &u32) -> u32 {
        Box::pin(first_of_ring(*less)).await + more
    }

    #[state_machine]
    async fn beside_cell(n: u32) -> u32 {
        let cell = Cell::new(n);
        if n > 0 {
            Box::pin(to_beside_cell(n - 1)).await;
        }
        cell.get()
    }

    #[state_machine]
    async fn to_beside_cell(n: u32) -> u32 {
        Box::pin(beside_cell(n)).await
    }

    #[state_machine]
    async fn beside_rc(n: u32) -> u32 {
        let number = local_number(n);
        if n > 0 {
            Box::pin(to_beside_rc(n - 1)).await;
        }
        *number.0
    }

    #[state_machine]
    async fn to_beside_rc(n: u32) -> u32 {
        Box::pin(to_to_beside_rc(n)).await
    }

    #[state_machine]
    async fn to_to_beside_rc(n: u32) -> u32 {
        Box::pin(beside_rc(n)).await
    }

    #[state_machine]
    async fn behind_rc(n: u32) -> u32 {
        {
            let number = Rc::new(n);
            drop(number);
        }
        if n > 0 { Box::pin(to_behind_rc(n - 1)).await } else { 0 }
    }

    #[state_machine]
    async fn to_behind_rc(n: u32) -> u32 {
        Box::pin(behind_rc(n)).await
    }

    #[state_machine]
    async fn itself_and_other(n: u32) -> u32 {
        if n < 2 {
            return n;
        }
        Box::pin(itself_and_other(n - 2)).await + Box::pin(other_and_itself(n - 1)).await
    }

    #[state_machine]
    async fn other_and_itself(n: u32) -> u32 {
        let own = async { if n > 2 { Box::pin(other_and_itself(n - 2)).await } else { 0 } };
        own.await + (Box::pin(itself_and_other(n - 1))).await
    }

    #[state_machine]
    async fn of_cell_argument(cell: &Cell<u32>) -> u32 {
        cell.set(cell.get() / 2);
        if cell.get() > 0 { Box::pin(with_cell_argument(cell)).await } else { 1 }
    }

    #[state_machine]
    async fn with_cell_argument(cell: &Cell<u32>) -> u32 {
        Box::pin(of_cell_argument(cell)).await + 1
    }
} {
    #[state_machine]
    impl Walker<'_> {
        pub(in super::super) async fn enter(&self, depth: u32) -> u32 {
            self.seen.set(self.seen.get() + 1);
            if depth < self.limit { Box::pin(self.leave(depth + 1)).await } else { depth }
        }

        pub(in super::super) async fn leave(&self, depth: u32) -> u32 {
            self.enter(depth).await + 1
        }

        pub(in super::super) async fn go_down(depth: u32) -> u32 {
            if depth == 0 { 0 } else { Box::pin(Self::go_on_down(depth - 1)).await + 1 }
        }

        pub(in super::super) async fn go_on_down(depth: u32) -> u32 {
            yield_now().await;
            Box::pin(Self::go_down(depth)).await
        }
    }
} }

/// Checks that the versions have the given traits, and return the same number.
macro_rules! assert_versions {
    ($($($path:ident)::+($($argument:expr),*) is $traits:expr;)*) => { $(
        let expected = volt::block_on(plain::$($path)::+($($argument),*));
        assert_versions!(@[plain chosen native] expected, $traits, [$($path)::+] [$($argument),*]);
    )* };
    (@[$($module:ident)*] $expected:ident, $traits:expr, $path:tt $arguments:tt) => {
        $( assert_versions!(@$module $expected, $traits, $path $arguments); )*
    };
    (@$module:ident $expected:ident, $traits:expr, [$($path:tt)*] [$($argument:expr),*]) => {{
        let name = concat!(stringify!($module), "::", stringify!($($path)*));
        let traits = (
            is_send!($module::$($path)*($($argument),*)),
            is_sync!($module::$($path)*($($argument),*)),
        );
        assert_eq!(traits, $traits, "{name}");
        assert_eq!(volt::block_on($module::$($path)*($($argument),*)), $expected, "{name}");
    }};
}

#[test]
fn functions_in_a_cycle_are_as_plain_futures() {
    let cell = Cell::new(9);
    assert_versions! {
        swing_left(4) is (true, true);
        swing_right(5) is (true, true);
        unboxed_to(3) is (true, true);
        boxed_from(3) is (true, true);
        first_of_ring(3) is (true, true);
        second_of_ring(&3) is (true, true);
        third_of_ring(&2, &3) is (true, true);
        beside_cell(2) is (true, false);
        to_beside_cell(2) is (true, false);
        beside_rc(2) is (false, false);
        to_beside_rc(2) is (false, false);
        to_to_beside_rc(2) is (false, false);
        behind_rc(2) is (true, true);
        to_behind_rc(2) is (true, true);
        itself_and_other(4) is (true, true);
        other_and_itself(4) is (true, true);
    }
    assert!(!is_send!(plain::of_cell_argument(&cell)));
    assert!(!is_send!(chosen::of_cell_argument(&cell)));
    assert!(!is_send!(native::with_cell_argument(&cell)));
    assert_eq!(volt::block_on(chosen::of_cell_argument(&cell)), 4);
    cell.set(9);
    assert_eq!(volt::block_on(native::of_cell_argument(&cell)), 4);
}

#[test]
fn methods_in_a_cycle_are_as_plain_futures() {
    macro_rules! assert_walkers {
        ($($module:ident)*) => { $(
            let seen = Cell::new(0);
            let walker = $module::Walker { seen: &seen, limit: 4 };
            assert!(!is_send!(walker.enter(1)) && !is_send!(walker.leave(1)));
            assert!(!is_sync!(walker.enter(1)) && !is_sync!(walker.leave(1)));
            assert_eq!(volt::block_on(walker.enter(1)), 7);
            assert_eq!(seen.get(), 4);
        )* };
    }
    assert_walkers! { plain chosen native }
    assert_versions! {
        Walker::go_down(3) is (true, true);
        Walker::go_on_down(3) is (true, true);
    }
}

fn heaped_send<'a, F: Future + Send + 'a>(
    future: F,
) -> Pin<Box<dyn Future<Output = F::Output> + Send + 'a>> {
    Box::pin(future)
}

struct Peach {
    berries: Vec<Berry>,
}

struct Berry {
    peaches: Vec<Peach>,
}

/// A helper function that requires `Send` allows no copies. The plain functions do not compile.
#[volt::state_machine]
impl Peach {
    async fn ripen_on_threads(&self) -> u32 {
        match self.berries.first() {
            Some(berry) => heaped_send(berry.ripen_on_threads()).await + 1,
            None => 1,
        }
    }

    /// No operand of `.await` shows that the list is used for nothing else.
    async fn ripen_lists(&self) -> u32 {
        let mut list = Vec::new();
        list.extend(
            self.berries
                .iter()
                .map(|berry| Box::pin(berry.ripen_lists())),
        );
        let mut sum = 1;
        for weight in list {
            sum += weight.await;
        }
        sum
    }
}

#[volt::state_machine]
impl Berry {
    async fn ripen_on_threads(&self) -> u32 {
        match self.peaches.first() {
            Some(peach) => heaped_send(peach.ripen_on_threads()).await + 2,
            None => 2,
        }
    }

    async fn ripen_lists(&self) -> u32 {
        let list = self
            .peaches
            .iter()
            .map(|peach| Box::pin(peach.ripen_lists()));
        let list: Vec<_> = list.collect();
        let mut sum = 2;
        for weight in list {
            sum += weight.await;
        }
        sum
    }
}

/// The arguments have the types of both methods.
#[volt::state_machine]
impl Stem {
    async fn ripen_held(&self, leaf: &Leaf) -> u32 {
        let held = || leaf.ripen_held(self);
        if leaf.0 == 0 {
            0
        } else {
            held_on_heap(held()).await + 1
        }
    }
}

struct Stem(u32);

struct Leaf(u32);

#[volt::state_machine]
impl Leaf {
    async fn ripen_held(&self, stem: &Stem) -> u32 {
        let less = Leaf(self.0 - 1);
        let held = || stem.ripen_held(&less);
        held_on_heap(held()).await + stem.0
    }
}

fn held_on_heap<F: Future>(future: F) -> Pin<Box<F>> {
    Box::pin(future)
}

#[test]
fn cycle_without_copies_is_send_by_arguments() {
    let berry = Berry {
        peaches: vec![Peach { berries: vec![] }],
    };
    let peach = Peach {
        berries: vec![berry],
    };
    assert!(is_send!(peach.ripen_on_threads()) && is_send!(peach.ripen_lists()));
    assert_eq!(volt::block_on(peach.ripen_on_threads()), 4);
    assert_eq!(volt::block_on(peach.ripen_lists()), 4);
    assert_eq!(volt::block_on(peach.berries[0].ripen_on_threads()), 3);
    let (stem, leaf) = (Stem(1), Leaf(2));
    assert!(is_send!(stem.ripen_held(&leaf)) && is_send!(leaf.ripen_held(&stem)));
    assert_eq!(volt::block_on(stem.ripen_held(&leaf)), 4);
}
