//! A wrong type of an await in a loop of an `async` closure or block is reported at the await.

use std::future::ready;

#[volt::state_machine]
async fn closure() {
    let repeat = async || {
        loop {
            ready(1).await
        }
    };
    repeat().await
}

#[volt::state_machine(native)]
async fn block() {
    let repeat = async {
        while ready(true).await {
            let text: &str = (ready(1)).await;
        }
        for _ in 0..2 {
            5.await
        }
    };
    repeat.await
}

fn main() {}
