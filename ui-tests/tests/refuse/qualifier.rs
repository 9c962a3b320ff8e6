#[volt::state_machine(explicit)]
async extern "C" fn foreign(id: u32) -> u32 {
    id
}

fn main() {}
