//! Functions that await each other in the boxes of helper functions, macros and lists. Each machine
//! is `Send` and `Sync` exactly if the compiler's future of the same text is.

use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;

use volt::future::join_all;

use super::{Ask, AskSync, NotSend as _, NotSync as _, local_number};

fn heaped<'a, F: Future + 'a>(future: F) -> Pin<Box<F>> {
    Box::pin(future)
}

mod heaps {
    use super::{Future, Pin};

    pub(super) fn heaped_object<'a, F: Future + 'a>(
        future: F,
    ) -> Pin<Box<dyn Future<Output = F::Output> + 'a>> {
        Box::pin(future)
    }
}

macro_rules! heaped_await {
    ($future:expr) => {
        Box::pin($future).await
    };
}

/// Declares items three times: plain, in the layout that the macro chooses, and native. The
/// attribute shows the macro that the functions of these names are machines.
macro_rules! versions {
    ($($items:tt)*) => {
        items! { plain [] $($items)* }
        items! { chosen [#[volt::state_machine]] $($items)* }
        items! { native [#[volt::state_machine(native)]] $($items)* }
    };
}

macro_rules! items {
    ($module:ident $attrs:tt { $($types:item)* } $(#[state_machine] $items:item)*) => {
        pub(super) mod $module {
            use super::*;

            $($types)*

            each_item! { $attrs $($items)* }
        }
    };
}

macro_rules! each_item {
    ($attrs:tt $($items:item)*) => { $( with_attrs! { $attrs $items } )* };
}

macro_rules! with_attrs {
    ([$(#[$attr:meta])*] $item:item) => { $(#[$attr])* $item };
}

versions! { {
    #[derive(Default)]
    pub(in super::super) struct Apple { pub(super) weight: u32, pub(super) pears: Vec<Pear> }

    #[derive(Default)]
    pub(in super::super) struct Pear { pub(super) weight: u32, pub(super) apples: Vec<Apple> }

    #[derive(Default)]
    pub(in super::super) struct Plum { pub(super) apples: Vec<Apple>, pub(super) plums: Vec<Plum> }
}
    #[state_machine]
    impl Apple {
        /// The methods of both types have one name.
        pub(in super::super) async fn ripen(&self) -> u32 {
            let mut sum = self.weight;
            for pear in &self.pears {
                sum += heaped(pear.ripen()).await;
            }
            sum
        }

        pub(in super::super) async fn ripen_objects(&self) -> u32 {
            match self.pears.first() {
                Some(pear) => heaps::heaped_object(pear.ripen_objects()).await,
                None => self.weight,
            }
        }

        pub(in super::super) async fn ripen_all(&self) -> u32 {
            let all = join_all(self.pears.iter().map(|pear| pear.ripen_all())).await;
            self.weight + all.into_iter().sum::<u32>()
        }

        pub(in super::super) async fn ripen_by_macro(&self) -> u32 {
            match self.pears.first() {
                Some(pear) => self.weight + heaped_await!(pear.ripen_by_macro()),
                None => self.weight,
            }
        }

        /// The name differs.
        pub(in super::super) async fn ripen_pears(&self) -> u32 {
            match self.pears.first() {
                Some(pear) => self.weight + heaped(pear.ripen_apples()).await,
                None => self.weight,
            }
        }

        pub(in super::super) async fn ripen_beside_rc(&self) -> u32 {
            let number = local_number(self.weight);
            match self.pears.first() {
                Some(pear) => *number.0 + heaped(pear.ripen_beside_rc()).await,
                None => *number.0,
            }
        }

        pub(in super::super) async fn ripen_three(&self) -> u32 {
            match self.pears.first() {
                Some(pear) => self.weight + heaped(pear.ripen_three()).await,
                None => self.weight,
            }
        }
    }

    #[state_machine]
    impl Pear {
        pub(in super::super) async fn ripen(&self) -> u32 {
            let mut sum = self.weight;
            for apple in &self.apples {
                sum += heaped(apple.ripen()).await;
            }
            sum
        }

        pub(in super::super) async fn ripen_objects(&self) -> u32 {
            match self.apples.first() {
                Some(apple) => heaps::heaped_object(apple.ripen_objects()).await,
                None => self.weight,
            }
        }

        pub(in super::super) async fn ripen_all(&self) -> u32 {
            let all = join_all(self.apples.iter().map(|apple| apple.ripen_all())).await;
            self.weight + all.into_iter().sum::<u32>()
        }

        pub(in super::super) async fn ripen_by_macro(&self) -> u32 {
            match self.apples.first() {
                Some(apple) => self.weight + heaped_await!(apple.ripen_by_macro()),
                None => self.weight,
            }
        }

        pub(in super::super) async fn ripen_apples(&self) -> u32 {
            match self.apples.first() {
                Some(apple) => self.weight + heaped(apple.ripen_pears()).await,
                None => self.weight,
            }
        }

        pub(in super::super) async fn ripen_beside_rc(&self) -> u32 {
            match self.apples.first() {
                Some(apple) => self.weight + heaped(apple.ripen_beside_rc()).await,
                None => self.weight,
            }
        }

        pub(in super::super) async fn ripen_three(&self) -> u32 {
            let plum = Plum::default();
            heaped(plum.ripen_three()).await + self.weight
        }
    }

    #[state_machine]
    impl Plum {
        pub(in super::super) async fn ripen_three(&self) -> u32 {
            match (self.plums.first(), self.apples.first()) {
                (Some(plum), _) => heaped(plum.ripen_three()).await,
                (_, Some(apple)) => heaped(apple.ripen_three()).await,
                _ => 1,
            }
        }
    }

    #[state_machine]
    pub(in super::super) async fn heaped_left(n: u32) -> u32 {
        if n == 0 { 0 } else { heaped(heaped_right(n - 1)).await + 1 }
    }

    #[state_machine]
    pub(in super::super) async fn heaped_right(n: u32) -> u32 {
        if n == 0 { 0 } else { heaped(heaped_left(n - 1)).await + 2 }
    }

    #[state_machine]
    pub(in super::super) async fn joined_left(n: u32) -> u32 {
        if n == 0 { 1 } else { join_all([joined_right(n - 1), joined_right(0)]).await.len() as u32 }
    }

    #[state_machine]
    pub(in super::super) async fn joined_right(n: u32) -> u32 {
        if n == 0 { 1 } else { join_all(vec![joined_left(n - 1)]).await.len() as u32 }
    }

    #[state_machine]
    pub(in super::super) async fn heaped_beside_cell(n: u32) -> u32 {
        let cell = Cell::new(n);
        if n > 0 {
            heaped(to_heaped_beside_cell(n - 1)).await;
        }
        cell.get()
    }

    #[state_machine]
    pub(in super::super) async fn to_heaped_beside_cell(n: u32) -> u32 {
        heaped(heaped_beside_cell(n)).await
    }

    #[state_machine]
    pub(in super::super) async fn joined_beside_rc(n: u32) -> u32 {
        let number = local_number(n);
        let less = n.checked_sub(1).into_iter();
        join_all(less.map(to_joined_beside_rc)).await.len() as u32 + *number.0
    }

    #[state_machine]
    pub(in super::super) async fn to_joined_beside_rc(n: u32) -> u32 {
        heaped_await!(joined_beside_rc(n))
    }

    #[state_machine]
    /// The combinator belongs to another package. The macro knows its name alone.
    pub(in super::super) async fn settled_left(n: u32) -> u32 {
        codes::settle_all((0..n).map(settled_right).collect()).await.len() as u32
    }

    #[state_machine]
    pub(in super::super) async fn settled_right(n: u32) -> u32 {
        codes::settle_all(vec![settled_left(n)]).await[0]
    }

    #[state_machine]
    pub(in super::super) async fn heaped_beside_rc(n: u32) -> u32 {
        let number = local_number(n);
        if n > 0 {
            heaped(to_heaped_beside_rc(n - 1)).await;
        }
        *number.0
    }

    #[state_machine]
    pub(in super::super) async fn to_heaped_beside_rc(n: u32) -> u32 {
        heaped(heaped_beside_rc(n)).await
    }
}

macro_rules! traits {
    ($($call:tt)*) => { (is_send!($($call)*), is_sync!($($call)*)) };
}

/// Checks in each version that the calls have the given traits and outputs.
macro_rules! assert_versions {
    (@$module:ident [$(let $name:ident = $value:expr;)*] { $($call:expr => $expected:expr;)* }) => {{
        use $module::*;
        $(let $name = $value;)*
        $(
            let name = concat!(stringify!($module), "::", stringify!($call));
            assert_eq!((traits!($call), volt::block_on($call)), $expected, "{name}");
        )*
    }};
    ($lets:tt $calls:tt) => {
        assert_versions!(@plain $lets $calls);
        assert_versions!(@chosen $lets $calls);
        assert_versions!(@native $lets $calls);
    };
}

#[path = "assumed_calls.rs"]
mod assumed_calls;
#[path = "linked_locals.rs"]
mod linked_locals;
#[path = "linked_methods.rs"]
mod linked_methods;

#[test]
fn methods_of_one_name_are_as_plain_futures() {
    assert_versions! { [
        let apple = Apple {
            weight: 1,
            pears: vec![Pear { weight: 2, apples: vec![Apple { weight: 3, pears: vec![] }] }],
        };
        let pear = Pear::default();
        let plum = Plum::default();
    ] {
        apple.ripen() => ((true, true), 6);
        pear.ripen() => ((true, true), 0);
        apple.ripen_objects() => ((false, false), 3);
        pear.ripen_objects() => ((false, false), 0);
        apple.ripen_all() => ((true, true), 6);
        pear.ripen_all() => ((true, true), 0);
        apple.ripen_by_macro() => ((true, true), 6);
        pear.ripen_by_macro() => ((true, true), 0);
        apple.ripen_pears() => ((true, true), 6);
        pear.ripen_apples() => ((true, true), 0);
        apple.ripen_beside_rc() => ((false, false), 6);
        pear.ripen_beside_rc() => ((false, false), 0);
        apple.ripen_three() => ((true, true), 4);
        pear.ripen_three() => ((true, true), 1);
        plum.ripen_three() => ((true, true), 1);
    } }
}

#[test]
fn helper_functions_in_a_cycle_are_as_plain() {
    assert_versions! { [] {
        heaped_left(4) => ((true, true), 6);
        heaped_right(3) => ((true, true), 5);
        joined_left(2) => ((true, true), 2);
        joined_right(2) => ((true, true), 1);
        heaped_beside_cell(2) => ((true, false), 2);
        to_heaped_beside_cell(2) => ((true, false), 2);
        joined_beside_rc(2) => ((false, false), 3);
        to_joined_beside_rc(2) => ((false, false), 3);
        settled_left(3) => ((true, true), 3);
        settled_right(3) => ((true, true), 3);
        heaped_beside_rc(2) => ((false, false), 2);
        to_heaped_beside_rc(2) => ((false, false), 2);
    } }
}

/// The type of the other machine is written, which is not that of its copy.
#[volt::state_machine]
async fn mapped_left(n: u32) -> u32 {
    match n {
        0 => 1,
        n => join_all((1..=n).map::<MappedRight, _>(|n| mapped_right(n - 1))).await[0],
    }
}

#[volt::state_machine]
async fn mapped_right(n: u32) -> u32 {
    heaped(mapped_left(n / 2)).await
}

#[volt::state_machine]
async fn returned_left(n: u32) -> u32 {
    match n {
        0 => 1,
        n => join_all((0..n).map(|n| -> ReturnedRight { returned_right(n) })).await[0],
    }
}

#[volt::state_machine]
async fn returned_right(n: u32) -> u32 {
    heaped(returned_left(n / 2)).await
}

#[test]
fn written_type_of_a_machine_stays() {
    assert!(is_send!(mapped_left(3)) && is_send!(mapped_right(3)));
    assert!(is_send!(returned_left(3)) && is_send!(returned_right(3)));
    assert_eq!(volt::block_on(mapped_left(3)), 1);
    assert_eq!(volt::block_on(returned_left(3)), 1);
}
