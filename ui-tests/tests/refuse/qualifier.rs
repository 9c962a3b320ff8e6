#[volt::state_machine]
async unsafe fn risky(id: u32) -> u32 {
    id
}

fn main() {}
