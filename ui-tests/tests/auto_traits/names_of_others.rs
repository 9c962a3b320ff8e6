//! Functions in which another item has the name of the function: their machines have the traits of
//! the coroutine.

use std::future::{Future, Ready, ready};
use std::pin::Pin;
use std::rc::Rc;

use volt::task::yield_now;

use super::{Ask, AskSync, Neither};

mod others {
    use super::*;

    pub(super) async fn by_glob(n: u32) -> u32 {
        yield_now().await;
        n
    }

    pub(super) async fn not_send_by_glob(n: Rc<u32>) -> u32 {
        yield_now().await;
        *n
    }

    pub(super) async fn imported(n: u32) -> u32 {
        n
    }
}

/// Boxes a future without a word that shows it.
fn heap<F: Future>(future: F) -> Pin<Box<F>> {
    Box::pin(future)
}

#[volt::state_machine]
async fn by_glob(n: u32) -> u32 {
    use others::*;
    by_glob(n).await + 1
}

#[volt::state_machine]
async fn not_send_by_glob(n: u32) -> u32 {
    use others::*;
    not_send_by_glob(Rc::new(n)).await
}

#[volt::state_machine]
async fn imported(n: u32) -> u32 {
    use others::imported;
    imported(n).await
}

#[volt::state_machine]
async fn inner_item(n: u32) -> u32 {
    async fn inner_item(n: u32) -> u32 {
        yield_now().await;
        n
    }
    inner_item(n).await
}

#[volt::state_machine]
async fn inner_not_send(n: u32) -> u32 {
    async fn inner_not_send(n: u32) -> u32 {
        let n = super::local_number(n);
        yield_now().await;
        *n.0
    }
    inner_not_send(n).await
}

#[volt::state_machine]
async fn local(n: u32) -> u32 {
    let local = |n| ready(n);
    local(n).await
}

#[volt::state_machine]
async fn argument(argument: fn(u32) -> Ready<u32>) -> u32 {
    argument(1).await
}

mod log {
    macro_rules! info {
        ($($text:tt)*) => { drop(format!($($text)*)) };
    }
    pub(super) use info;
}

#[volt::state_machine]
async fn log(text: &str) -> usize {
    log::info!("{text}");
    yield_now().await;
    text.len()
}

mod recursive {
    use super::heap;

    #[volt::state_machine]
    pub(super) async fn namesake(n: u32) -> u32 {
        match n {
            0 => 0,
            n => heap(namesake(n - 1)).await,
        }
    }
}

/// Only the function of this name in the module above is recursive.
#[volt::state_machine]
async fn namesake(n: u32) -> u32 {
    let number = super::local_number(n);
    yield_now().await;
    *number.0
}

mod near {
    use super::heap;

    pub(super) struct Shop(pub(super) u32);

    #[volt::state_machine]
    impl Shop {
        pub(super) async fn count(&self, n: u32) -> u32 {
            let number = super::super::local_number(n);
            if n > 0 {
                heap(Shop::count(self, n - 1)).await;
            }
            *number.0
        }

        pub(super) async fn sum(&self, n: u32) -> u32 {
            let number = super::super::local_number(self.0);
            match n {
                0 => 0,
                n => heap(self.sum(n - 1)).await + *number.0,
            }
        }
    }
}

/// A type with the same names.
mod far {
    use super::heap;

    pub(super) struct Shop(pub(super) u32);

    #[volt::state_machine]
    impl Shop {
        pub(super) async fn count(&self, n: u32) -> u32 {
            let number = super::super::local_number(n);
            if n > 0 {
                heap(Shop::count(self, n - 1)).await;
            }
            *number.0
        }

        pub(super) async fn sum(&self, n: u32) -> u32 {
            let number = super::super::local_number(self.0);
            match n {
                0 => 0,
                n => heap(self.sum(n - 1)).await + *number.0,
            }
        }
    }
}

mod shelf {
    use super::heap;

    pub(super) struct Shelf(pub(super) u32);

    #[volt::state_machine]
    impl Shelf {
        pub(super) async fn list(&self, n: u32) -> u32 {
            let number = super::super::local_number(self.0);
            match n {
                0 => 0,
                n => heap(Shelf::list(self, n - 1)).await + *number.0,
            }
        }
    }
}

/// An associated type names the machine of another method with the same names.
mod associated {
    use std::future::Future;

    pub(super) trait Lists {
        type Listed<'f>: Future<Output = u32>
        where
            Self: 'f;

        fn list(&self, n: u32) -> Self::Listed<'_>;
    }

    pub(super) struct Shelf;

    #[volt::state_machine]
    impl Lists for Shelf {
        type Listed<'f>
            = ShelfList<'f>
        where
            Self: 'f;

        async fn list(&self, n: u32) -> u32 {
            std::future::ready(n).await
        }
    }
}

/// An option of another attribute has the name of the function.
#[volt::state_machine]
#[tracing::instrument(skip(n))]
async fn skip(n: u32) -> u32 {
    let number = super::local_number(n);
    yield_now().await;
    *number.0
}

/// A local has the name after the recursion, which stays a recursion.
#[volt::state_machine]
async fn local_after_recursion(n: u32) -> u32 {
    if n == 0 {
        return 0;
    }
    let local_after_recursion = heap(local_after_recursion(n - 1));
    local_after_recursion.await + 1
}

#[test]
fn another_item_of_the_name_is_no_recursion() {
    assert_eq!(auto!(ByGlob), (true, true));
    assert_eq!(auto!(NotSendByGlob), (false, false));
    assert_eq!(auto!(Imported), (true, true));
    assert_eq!(auto!(InnerItem), (true, true));
    assert_eq!(auto!(InnerNotSend), (false, false));
    assert_eq!(auto!(Local), (true, true));
    assert_eq!(auto!(Argument), (true, true));
    assert_eq!(auto!(Log<'static>), (true, true));
    assert_eq!(auto!(Skip), (false, false));
}

#[test]
fn recursion_of_a_namesake_is_no_recursion() {
    assert_eq!(auto!(Namesake), (false, false));
    assert_eq!(auto!(recursive::Namesake), (true, true));
}

#[test]
fn method_of_another_type_of_the_name_closes_no_cycle() {
    assert_eq!(auto!(near::ShopCount<'static>), (false, false));
    assert_eq!(auto!(far::ShopCount<'static>), (false, false));
    assert_eq!(auto!(near::ShopSum<'static>), (false, false));
    assert_eq!(auto!(far::ShopSum<'static>), (false, false));
    assert_eq!(volt::block_on(near::Shop(2).sum(3)), 6);
    assert_eq!(volt::block_on(far::Shop(2).count(3)), 3);
}

#[test]
fn machine_of_another_module_is_not_named() {
    use super::NotSend as _;
    use associated::Lists;
    fn of<T>(_: &T) -> Ask<T> {
        Ask(std::marker::PhantomData)
    }
    assert!(!of(&shelf::Shelf(2).list(3)).is_send());
    assert!(of(&associated::Shelf.list(3)).is_send());
    assert_eq!(volt::block_on(shelf::Shelf(2).list(3)), 6);
    assert_eq!(volt::block_on(associated::Shelf.list(3)), 3);
}

#[test]
fn local_of_the_name_hides_no_recursion() {
    assert_eq!(auto!(LocalAfterRecursion), (true, true));
}
