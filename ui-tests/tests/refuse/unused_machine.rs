#![deny(dead_code)]

#[volt::state_machine(explicit)]
async fn never_used(id: u32) -> u32 {
    volt::task::yield_now().await;
    id
}

#[volt::state_machine(explicit)]
async fn never_lent<T>(text: &str, other: T) -> usize
where
    T: AsRef<str>,
{
    volt::task::yield_now().await;
    text.len() + other.as_ref().len()
}

struct Counter;

#[volt::state_machine(explicit)]
impl Counter {
    async fn used(&self) {
        volt::task::yield_now().await;
    }

    async fn never_called(&self) {
        self.used().await;
    }
}

fn main() {
    let _ = Counter.used();
}
