async fn charge(cents: u64) -> Result<u64, String> {
    Ok(cents)
}

async fn wait(_failed: u32) {}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn options(cents: u64) {
    #[step(backoff = wait)]
    #[state(Backoff)]
    let _ = charge(cents).await;
    #[step(retry = 3, retry = 4)]
    #[state(Twice)]
    let _ = charge(cents).await;
    #[step = 3]
    #[state(Value)]
    let _ = charge(cents).await;
    loop {
        #[step(retry = 3)]
        #[state(Jump)]
        let _ = match charge(cents).await {
            Ok(_) => break,
            error => error,
        };
    }
    #[step(retry = 3)]
    #[state(Macro)]
    println!("{cents}");
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn values(cents: u64) {
    #[step(retry = 3, key)]
    #[state(Key)]
    let _ = charge(cents).await;
    #[step(retry = 3, backoff = std::time::Duration::from_secs(1))]
    #[state(Pause)]
    let _ = charge(cents).await;
    #[step(retry)]
    #[state(Retry)]
    let _ = charge(cents).await;
}

fn main() {
    let _ = options(1);
}
