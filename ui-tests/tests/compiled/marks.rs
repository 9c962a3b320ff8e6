//! `Send` and `Sync` are those of the compiler's own coroutine.

use std::cell::Cell;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Mutex;

use super::run::{run, turn};

struct Ask<T>(PhantomData<T>);

trait No {
    const IS: bool = false;
}

impl<T> No for Ask<T> {}

impl<T: Send> Ask<T> {
    const IS: bool = true;
}

#[volt::state_machine]
async fn plain(word: &str) -> usize {
    let text = word.to_owned();
    turn().await;
    text.len()
}

#[volt::state_machine]
async fn counted(n: usize) -> usize {
    let shared = Rc::new(n);
    turn().await;
    *shared
}

/// Takes a pin, which is `Send` in a future that lives for ever, and nowhere else.
struct OnlyStatic<'a>(PhantomData<Cell<&'a ()>>);

async fn looks(cell: &Cell<u8>) -> u8 {
    turn().await;
    cell.get()
}

#[volt::state_machine]
async fn borrows_a_cell(n: u8) -> u8 {
    let cell = Cell::new(n);
    looks(&cell).await
}

#[volt::state_machine]
async fn kept<'a>(unit: &'a ()) -> usize {
    let only = OnlyStatic::<'a>(PhantomData);
    turn().await;
    let _ = (&only.0, unit);
    1
}

#[test]
fn machine_is_send_where_the_coroutine_is() {
    const { assert!(Ask::<Plain<'static>>::IS) };
    const { assert!(!Ask::<Counted>::IS) };
    const { assert!(!Ask::<BorrowsACell>::IS) };
    assert_eq!(run(plain("word")).0, 4);
    assert_eq!(run(counted(3)).0, 3);
    assert_eq!(run(borrows_a_cell(2)).0, 2);
    assert_eq!(run(kept(&())).0, 1);
}

/// Reports whether a type is `Sync`, by the same order of methods.
struct AskSync<T>(PhantomData<T>);

impl<T> No for AskSync<T> {}

impl<T: Sync> AskSync<T> {
    const IS: bool = true;
}

#[volt::state_machine(native)]
async fn neither(n: usize) -> usize {
    let kept = Rc::new(n);
    turn().await;
    *kept
}

#[volt::state_machine(native)]
async fn only_send(n: u8) -> u8 {
    let kept = Cell::new(n);
    turn().await;
    kept.get()
}

#[volt::state_machine(native)]
#[expect(
    clippy::await_holding_lock,
    reason = "a guard is `Sync` and not `Send`"
)]
async fn only_sync(lock: &Mutex<u8>) -> u8 {
    let kept = lock.lock().unwrap();
    turn().await;
    *kept
}

#[volt::state_machine(native)]
async fn both(word: &str) -> usize {
    let kept = word.to_owned();
    turn().await;
    kept.len()
}

#[test]
fn native_machine_has_auto_traits_of_coroutine() {
    const { assert!(!Ask::<Neither>::IS && !AskSync::<Neither>::IS) };
    const { assert!(Ask::<OnlySend>::IS && !AskSync::<OnlySend>::IS) };
    const { assert!(!Ask::<OnlySync<'static>>::IS && AskSync::<OnlySync<'static>>::IS) };
    const { assert!(Ask::<Both<'static>>::IS && AskSync::<Both<'static>>::IS) };
    assert_eq!(run(neither(3)).0, 3);
    assert_eq!(run(only_send(4)).0, 4);
    assert_eq!(run(only_sync(&Mutex::new(5))).0, 5);
    assert_eq!(run(both("word")).0, 4);
}
