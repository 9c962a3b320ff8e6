use std::sync::Mutex;

#[volt::state_machine(explicit)]
async fn locked(queue: &Mutex<Option<u32>>, list: &Mutex<Vec<u32>>) -> u32 {
    let first: u32 = load(list.lock().unwrap()[0]).await;
    let second: u32 = load(list.lock().unwrap().len() as u32 + 1).await;
    if let Some(id) = queue.lock().unwrap().take() {
        load(id).await;
    }
    first + second + load(known!(first)).await
}

macro_rules! known {
    ($id:expr) => {
        $id
    };
}
use known;

fn main() {
    let _ = locked(&Mutex::new(None), &Mutex::new(vec![]));
}

#[volt::state_machine(explicit)]
async fn load(id: u32) -> u32 {
    id
}
