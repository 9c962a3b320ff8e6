#[volt::state_machine(explicit)]
#[tracing::instrument]
async fn traced(id: u32) -> u32 {
    id
}

fn main() {
    let _ = traced(1);
}
