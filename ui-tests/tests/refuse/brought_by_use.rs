mod numbers {
    pub fn first() -> u32 {
        1
    }
}

#[volt::state_machine]
async fn all(first: String) -> u32 {
    let number: u32 = {
        use numbers::*;
        let make: fn() -> u32 = first;
        make()
    };
    tick().await;
    number
}

#[volt::state_machine]
async fn tick() {}

fn main() {
    let _ = all(String::new());
}
