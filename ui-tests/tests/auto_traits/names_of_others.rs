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
    assert_eq!(auto!(recursive::Namesake), (true, false));
}

#[test]
fn local_of_the_name_hides_no_recursion() {
    assert_eq!(auto!(LocalAfterRecursion), (true, false));
}
