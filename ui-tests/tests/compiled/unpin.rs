//! A machine whose values are all `Unpin`, and whose futures borrow none of them, is `Unpin`.

use std::future::{Ready, ready};
use std::marker::{PhantomData, PhantomPinned};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use super::run::{run, turn};

struct Ask<T>(PhantomData<T>);

trait No {
    const IS: bool = false;
}

impl<T> No for Ask<T> {}

impl<T: Unpin> Ask<T> {
    const IS: bool = true;
}

#[volt::state_machine(explicit)]
async fn moves(name: &str, first: Ready<usize>) -> usize {
    let mut list = Vec::new();
    let one = first.await;
    list.push(one);
    volt::task::yield_now().await;
    list.push(name.len());
    volt::task::yield_now().await;
    list.len() + list[0]
}

#[volt::state_machine(explicit)]
async fn lends(mut number: u32) -> u32 {
    bump(&mut number).await;
    number
}

async fn bump(number: &mut u32) {
    *number += 1;
    turn().await;
}

#[volt::state_machine(explicit)]
async fn keeps_a_coroutine() {
    turn().await;
}

#[volt::state_machine(explicit)]
async fn keeps_what_is_pinned() -> usize {
    let stuck = PhantomPinned;
    volt::task::yield_now().await;
    size_of_val(&stuck)
}

#[volt::state_machine(explicit)]
async fn depth(left: u32) -> u32 {
    if left == 0 {
        return 0;
    }
    let below = Box::pin(depth(left - 1)).await;
    below + 1
}

#[test]
fn machine_is_unpin_where_all_of_it_is() {
    const { assert!(Ask::<Moves<'static>>::IS) };
    const { assert!(Ask::<Depth>::IS) };
    const { assert!(!Ask::<Lends>::IS) };
    const { assert!(!Ask::<KeepsACoroutine>::IS) };
    const { assert!(!Ask::<KeepsWhatIsPinned>::IS) };
    assert_eq!(
        (
            run(lends(1)).0,
            run(keeps_what_is_pinned()).0,
            run(depth(3)).0
        ),
        (2, 0, 3)
    );
    run(keeps_a_coroutine());
}

#[test]
fn unpin_machine_continues_after_a_move() {
    let mut machine = moves("four", ready(7));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(Pin::new(&mut machine).poll(&mut cx).is_pending());
    let mut moved = Box::new(machine);
    assert!(Pin::new(&mut *moved).poll(&mut cx).is_pending());
    let mut back = *moved;
    assert_eq!(Pin::new(&mut back).poll(&mut cx), Poll::Ready(9));
}
