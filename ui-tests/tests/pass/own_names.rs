//! What a function imports for itself reaches its machine, a lifetime may be given to a machine,
//! and the temporaries of an `if let` are gone in its `else`.

use std::cell::RefCell;

mod net {
    #[volt::state_machine]
    pub async fn fetch(id: u32) -> u32 {
        volt::task::yield_now().await;
        id
    }
}

#[volt::state_machine]
async fn imports() -> usize {
    use net::fetch;
    use std::collections::{BTreeMap as Tree, HashMap, hash_map};
    use std::time::Duration;
    use volt::time::sleep;

    let pages: HashMap<u32, Tree<u32, Duration>> = HashMap::new();
    let rest: hash_map::IntoIter<u32, u32> = HashMap::new().into_iter();
    let id = fetch(1).await;
    volt::future::join::<fetch, sleep>(fetch(id), sleep(Duration::ZERO)).await;
    pages.len() + rest.count()
}

#[volt::state_machine]
async fn first<'a>(text: &'a str) -> &'a str {
    volt::task::yield_now().await;
    &text[..1]
}

#[volt::state_machine]
async fn twice<'a>(text: &'a str) -> usize {
    let one = first(text).await;
    let two = Box::pin(first(text)).await;
    let three: first<'a> = first(text);
    let four = first("four").await;
    one.len() + two.len() + three.await.len() + four.len()
}

#[volt::state_machine]
async fn pop<'a>(list: &'a RefCell<Vec<u32>>) -> u32 {
    if let Some(last) = list.borrow_mut().pop() {
        last
    } else {
        volt::task::yield_now().await;
        list.borrow_mut().push(1);
        0
    }
}

#[volt::state_machine]
async fn behind_a_return(on: bool, #[allow(unused_variables, reason = "what uses it is not reached")] text: String) -> usize {
    if on {
        volt::task::yield_now().await;
    }
    return 7;
    #[allow(unreachable_code, reason = "this is the case")]
    {
        volt::task::yield_now().await;
        text.len()
    }
}

fn main() {
    assert_eq!(volt::block_on(imports()), 0);
    assert_eq!(volt::block_on(twice("ab")), 4);
    assert_eq!(volt::block_on(pop(&RefCell::new(Vec::new()))), 0);
    assert_eq!(volt::block_on(behind_a_return(true, String::new())), 7);
}
