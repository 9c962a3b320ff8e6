use std::future::Future;

trait Service {
    type Future: Future<Output = u32>;

    fn call(&mut self) -> Self::Future;
}

struct Counter(u32);

#[volt::state_machine(explicit)]
impl Service for Counter {
    type Future = CounterCall;

    async fn call(&mut self) -> u32 {
        self.0
    }
}

fn main() {
    let _ = Counter(1).call();
}
