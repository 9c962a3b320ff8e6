#[volt::state_machine]
async fn send(id: u32) {
    write(&format!("{id}")).await;
}

fn main() {
    let _ = send(1);
}

async fn write(text: &str) {
    drop(text.len());
}
