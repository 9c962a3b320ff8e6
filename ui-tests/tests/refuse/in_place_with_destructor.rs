struct Page {
    bytes: Vec<u8>,
    header: [u8; 256],
}

#[volt::state_machine(explicit, twin = false)]
async fn dropped(times: u32) -> u32 {
    #[in_place]
    let page: Page = Page {
        bytes: Vec::new(),
        header: [0; 256],
    };
    let mut left: u32 = times;
    while left > 0 {
        volt::task::yield_now().await;
        left -= u32::from(page.header[0]) + page.bytes.len() as u32 + 1;
    }
    left
}

fn main() {
    volt::block_on(dropped(1));
}
