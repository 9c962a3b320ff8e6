#[volt::state_machine]
trait Load {
    async fn load(&self) -> u32;
}

fn main() {}
