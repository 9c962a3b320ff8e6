#[volt::state_machine(explicit)]
async fn count(mut counts: Vec<u32>) -> Vec<u32> {
    counts[0] += load(1).await;
    counts[load(0).await as usize] = 2;
    counts
}

fn main() {
    let _ = count(vec![]);
}

#[volt::state_machine(explicit)]
async fn load(id: u32) -> u32 {
    id
}
