//! A computation does not end for one of its inputs, and blocks its worker.

use std::hint::black_box;
use std::time::Duration;

use volt::Runtime;
use volt::time::sleep;

/// Counts the steps until the price is 1.
fn count_steps(mut price: u64) -> u64 {
    let mut steps = 0;
    while price != 1 {
        // The loop does not end if the price is a multiple of 3.
        price = if price.is_multiple_of(2) {
            price / 2
        } else {
            price.wrapping_add(3)
        };
        steps += 1;
    }
    steps
}

#[volt::state_machine]
async fn quote(pause: Duration, price: u64) {
    loop {
        sleep(pause).await;
        black_box(count_steps(black_box(price))); // It hangs here.
    }
}

pub(crate) fn begin(runtime: &Runtime) {
    for (pause, price) in [(20, 1), (20, 5), (20, 7), (200, 9)] {
        let name = format!("quote {price}");
        let task = quote(Duration::from_millis(pause), price);
        runtime.handle().spawn_named(&name, task).detach();
    }
}
