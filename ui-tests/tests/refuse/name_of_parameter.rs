#[volt::state_machine(explicit)]
async fn item<Item>(item: Item) -> Item {
    item
}

fn main() {
    let _ = item(1);
}
