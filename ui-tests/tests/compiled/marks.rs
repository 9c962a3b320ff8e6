//! `Send` and `Sync` are those of the compiler's own coroutine.

use std::cell::Cell;
use std::marker::PhantomData;
use std::rc::Rc;

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
