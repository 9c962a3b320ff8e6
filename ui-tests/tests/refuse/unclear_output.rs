#[volt::state_machine]
async fn longer(one: &str, other: &str) -> &str {
    std::future::ready(()).await;
    if one.len() > other.len() { one } else { other }
}

fn main() {
    let _ = longer("one", "three");
}
