#[volt::state_machine]
async fn item<Item>(item: Item) -> Item {
    item
}

fn main() {
    let _ = item(1);
}
