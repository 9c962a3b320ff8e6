#[volt::state_machine(explicit)]
async fn send(id: u32) {
    write(&line(id)).await;
}

fn main() {
    let _ = send(1);
}

async fn write(text: &str) {
    drop(text.len());
}

fn line(id: u32) -> String {
    id.to_string()
}
