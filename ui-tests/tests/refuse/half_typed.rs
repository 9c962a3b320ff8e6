#[volt::state_machine(explicit)]
async fn unfinished(id: u32) -> u32 {
    let x = load(id).
}

#[volt::state_machine(explicit)]
async fn caller() -> u32 {
    let sum: u32 = unfinished(1).await;
    sum
}

#[volt::state_machine(explicit)]
async fn load(id: u32) -> u32 {
    id
}

struct Holder {
    machine: Unfinished,
}

fn main() {
    let _ = Holder { machine: unfinished(1) };
    let _ = volt::block_on(caller());
}
