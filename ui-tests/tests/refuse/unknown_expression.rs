#[volt::state_machine(explicit)]
async fn through_a_pointer(id: u32) -> bool {
    (&raw const load(id).await).is_null()
}

fn main() {
    let _ = through_a_pointer(1);
}

#[volt::state_machine(explicit)]
async fn load(id: u32) -> u32 {
    id
}
