#[volt::state_machine]
async fn first<'a>(text: &'a str) -> &'a str {
    volt::task::yield_now().await;
    &text[..1]
}

#[volt::state_machine]
async fn length<'a>(text: &'a str) -> usize {
    let first: &'a str = first(text).await;
    first.len()
}

fn main() {
    drop(length("four"));
}
