use std::sync::Mutex;

#[volt::state_machine]
async fn locked(queue: Mutex<Vec<u32>>) -> u32 {
    match queue.lock().unwrap().pop() {
        Some(id) => load(id).await,
        None => 0,
    }
}

fn main() {
    let _ = locked(Mutex::new(vec![]));
}

async fn load(id: u32) -> u32 {
    id
}
