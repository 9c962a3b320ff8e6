struct Pair {
    left: String,
    right: String,
}

#[volt::state_machine(explicit)]
async fn left(Pair { left, .. }: Pair) -> usize {
    left.len()
}

#[volt::state_machine(explicit)]
async fn borrowed(ref text: String, (first, _): (String, Vec<u8>)) -> usize {
    text.len() + first.len()
}

#[volt::state_machine(explicit)]
async fn kept(Pair { left, right }: Pair) -> usize {
    volt::task::yield_now().await;
    left.len() + right.len()
}

fn main() {}
