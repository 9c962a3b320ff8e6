#[volt::state_machine]
async fn untyped(times: u32) -> u32 {
    #[in_place]
    let page = [0_u8; 1024];
    let mut left: u32 = times;
    while left > 0 {
        volt::task::yield_now().await;
        left -= u32::from(page[0]) + 1;
    }
    left
}

fn main() {
    drop(untyped(1));
}
