#[volt::state_machine(explicit)]
trait Load {
    async fn load(&self) -> u32;
}

fn main() {}
