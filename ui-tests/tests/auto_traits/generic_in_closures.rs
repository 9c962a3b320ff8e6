//! Generic methods and functions that a closure calls for a list of futures. Within an `async`
//! block that has to be `Send`, the compiler replaces each lifetime by one of its own.

use volt::task::yield_now;

use super::recursive_copies::all;

struct Tree<T>(T, Vec<Self>);

#[volt::state_machine]
impl<T: Copy + Into<u64>> Tree<T> {
    async fn value(&self) -> u64 {
        yield_now().await;
        self.0.into()
    }

    async fn children(&self) -> u32 {
        all(self.1.iter().map(|child| child.value())).await
    }

    async fn raise(&self, by: &mut u64) -> u64 {
        yield_now().await;
        *by += 1;
        self.0.into() + *by
    }

    async fn raised(&self, numbers: &mut [u64]) -> u32 {
        let pairs = self.1.iter().zip(numbers);
        all(pairs.map(|(child, by)| child.raise(by))).await
    }

    async fn blocks(&self) -> u32 {
        let blocks = self
            .1
            .iter()
            .map(|child| async move { child.children().await });
        all(blocks).await
    }
}

#[volt::state_machine]
async fn value<T: Copy + Into<u64>>(tree: &Tree<T>, more: &str) -> u64 {
    yield_now().await;
    tree.0.into() + more.len() as u64
}

#[volt::state_machine]
async fn values<T: Copy + Into<u64>>(tree: &Tree<T>, more: &str) -> u32 {
    all(tree.1.iter().map(|child| value(child, more))).await
}

#[volt::state_machine(trace = false)]
async fn untraced<T: Copy + Into<u64>>(tree: &Tree<T>) -> u64 {
    yield_now().await;
    tree.0.into()
}

#[volt::state_machine]
async fn all_untraced<T: Copy + Into<u64>>(tree: &Tree<T>) -> u32 {
    all(tree.1.iter().map(|child| untraced(child))).await
}

fn is_send_and_sync<T: Send + Sync>(future: T) -> T {
    future
}

#[test]
fn machines_of_a_closure_are_send_and_sync() {
    let tree = Tree(1_u32, vec![Tree(2, Vec::new()), Tree(3, Vec::new())]);
    let mut numbers = [4, 5];
    volt::block_on(async {
        assert_eq!(is_send_and_sync(tree.children()).await, 1);
        assert_eq!(is_send_and_sync(tree.raised(&mut numbers)).await, 1);
        assert_eq!(is_send_and_sync(tree.blocks()).await, 1);
        assert_eq!(is_send_and_sync(values(&tree, "a")).await, 1);
        assert_eq!(is_send_and_sync(all_untraced(&tree)).await, 1);
    });
    assert_eq!(numbers, [5, 6]);
}
