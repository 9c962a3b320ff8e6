//! A pause in milliseconds is taken for seconds.

use std::time::Duration;

use volt::Runtime;
use volt::time::sleep;

/// 43 minutes.
const PAUSE_MS: u64 = 2_592_000;

#[volt::state_machine]
async fn deliver(fails: bool) {
    if fails {
        let pause: Duration = Duration::from_secs(PAUSE_MS);
        sleep(pause).await; // It hangs here.
    }
    loop {
        sleep(Duration::from_millis(200)).await;
    }
}

pub(crate) fn begin(runtime: &Runtime) {
    for number in 0..8 {
        let name = format!("deliver {number}");
        runtime
            .handle()
            .spawn_named(&name, deliver(number == 5))
            .detach();
    }
}
