#[volt::state_machine(explicit)]
async fn untyped(times: u32) -> u32 {
    #[in_place]
    let page = blank();
    let mut left: u32 = times;
    while left > 0 {
        volt::task::yield_now().await;
        left -= u32::from(page[0]) + 1;
    }
    left
}

fn blank() -> [u8; 1024] {
    [0; 1024]
}

fn main() {
    drop(untyped(1));
}
