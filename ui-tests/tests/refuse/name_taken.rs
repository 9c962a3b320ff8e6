pub struct Timed {
    pub seconds: u32,
}

#[volt::state_machine(explicit)]
async fn timed(seconds: u32) -> Result<Timed, u32> {
    volt::task::yield_now().await;
    Ok(Timed { seconds })
}

fn main() {}
