//! Edits of a body that change the shape of a public machine.

#[volt::state_machine(public(Send, Unpin))]
pub async fn pause(turns: u8) {
    let mut left = turns;
    while left > 0 {
        debug_assert!(left > 0);
        volt::task::yield_now().await;
        left -= 1;
    }
}

#[volt::state_machine(public(parameters = 1))]
pub async fn later<F: Future<Output = u32>>(future: F) -> u32 {
    pause(1).await;
    let output: u32 = future.await;
    output
}

#[volt::state_machine(public(Send))]
pub async fn shared(n: std::rc::Rc<u32>) -> u32 {
    volt::task::yield_now().await;
    *n
}

#[volt::state_machine(public(Clone))]
pub async fn unknown(n: u32) -> u32 {
    n
}

pub struct Page;

#[volt::state_machine(public(Send, parameters = 0))]
impl Page {
    pub async fn fine(&self) {
        volt::task::yield_now().await;
    }

    pub async fn shown(&self, n: std::rc::Rc<u32>) -> u32 {
        volt::task::yield_now().await;
        *n
    }

    pub async fn sized<const N: usize>(&self, page: [u8; N]) -> usize {
        volt::task::yield_now().await;
        page.len()
    }
}

fn main() {}
