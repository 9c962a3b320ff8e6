#[volt::state_machine(explicit)]
async fn first<'a>(text: &'a str) -> &'a str {
    volt::task::yield_now().await;
    &text[..1]
}

#[volt::state_machine(explicit)]
async fn length<'a>(text: &'a str) -> usize {
    let first: &'a str = first(text).await;
    first.len()
}

fn main() {
    drop(length("four"));
}
