#[volt::state_machine(native, derive(Clone))]
async fn fetch(id: u32) -> u32 {
    async { id }.await
}

fn main() {
    let _ = fetch(1);
}
