async fn count(cents: u64) -> u64 {
    cents
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn counted(cents: u64) -> u64 {
    #[step(retry = 3)]
    #[state(Counting)]
    let counted = count(cents).await;
    counted
}

fn main() {
    let _ = counted(1);
}
