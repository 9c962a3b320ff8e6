//! Small ones, of which there are most.

use std::pin::Pin;
use std::time::Duration;

use volt::task::yield_now;
use volt::time::{Elapsed, sleep, timeout};

use crate::world::{Record, answer};

subject! {
    async fn nothing() {}
}

subject! {
    async fn one_turn() {
        yield_now().await;
    }
}

subject! {
    async fn two_turns() {
        yield_now().await;
        yield_now().await;
    }
}

subject! {
    async fn wait(pause: Duration) {
        sleep(pause).await;
    }
}

subject! {
    async fn tail(id: u64) -> u64 {
        answer::<u64>(id).await
    }
}

subject! {
    async fn greet(name: String) -> String {
        sleep(Duration::from_millis(1)).await;
        format!("hello, {name}")
    }
}

subject! {
    async fn boxed_depth(left: u32) -> u32 {
        if left == 0 {
            return 0;
        }
        yield_now().await;
        let deeper: Pin<Box<dyn Future<Output = u32>>> = Box::pin(boxed_depth(left - 1));
        let below: u32 = deeper.await;
        below + 1
    }
}

subject! {
    async fn hurried(limit: Duration) -> Result<(), Elapsed> {
        timeout::<sleep>(limit, sleep(Duration::from_secs(1))).await
    }
}

subject! {
    async fn blink(times: u32, pause: Duration) -> u32 {
        let mut shown: u32 = 0;
        while shown < times {
            sleep(pause).await;
            shown += 1;
        }
        shown
    }
}

subject! {
    async fn pair(first: u64, second: u64) -> (Record, Record) {
        let left: Record = answer::<Record>(Record::new(first)).await;
        let right: Record = answer::<Record>(Record::new(second)).await;
        (left, right)
    }
}

measure![
    nothing(),
    one_turn(),
    two_turns(),
    wait(_),
    tail(_),
    greet(_),
    boxed_depth(_),
    hurried(_),
    blink(_, _),
    pair(_, _),
];
