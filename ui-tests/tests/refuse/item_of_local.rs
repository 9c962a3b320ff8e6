#[volt::state_machine(explicit)]
async fn constant(start: u32) -> u32 {
    let limit: u32 = start + 1;
    {
        #[allow(non_upper_case_globals, reason = "it has the name of a local")]
        const limit: u32 = 7;
        tick().await;
    }
    limit
}

#[volt::state_machine(explicit)]
async fn function(limit: u32) -> u32 {
    loop {
        fn limit() -> u32 {
            7
        }
        tick().await;
        if limit() > 3 {
            break;
        }
    }
    limit
}

#[volt::state_machine(explicit)]
async fn tick() {}

fn main() {
    let _ = (constant(1), function(1));
}
