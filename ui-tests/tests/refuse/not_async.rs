#[volt::state_machine(explicit)]
fn plain(id: u32) -> u32 {
    id
}

fn main() {
    let _: u32 = plain(1);
}
