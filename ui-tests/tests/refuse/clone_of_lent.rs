#[volt::state_machine(explicit, derive(Clone))]
async fn push(list: &mut Vec<u32>) {
    volt::task::yield_now().await;
    list.push(1);
}

fn main() {
    drop(push(&mut Vec::new()));
}
