mod clock {
    pub struct Timed {
        pub seconds: u32,
    }
}

use clock::Timed;

#[volt::state_machine(explicit)]
async fn timed(seconds: u32) -> u32 {
    volt::task::yield_now().await;
    seconds
}

fn main() {
    let timed = Timed { seconds: 1 };
    drop(timed.seconds);
}
