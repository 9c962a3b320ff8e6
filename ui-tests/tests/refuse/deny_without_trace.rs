#[volt::state_machine(deny(dormant), trace = false)]
async fn fetch(id: u32) -> u32 {
    async { id }.await
}

fn main() {
    let _ = fetch(1);
}
