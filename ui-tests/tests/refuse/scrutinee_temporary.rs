use std::cell::RefCell;
use std::sync::Mutex;

#[volt::state_machine(explicit)]
async fn locked(queue: Mutex<Vec<u32>>) -> u32 {
    match queue.lock().unwrap().pop() {
        Some(id) => load(id).await,
        None => 0,
    }
}

struct Config {
    at: usize,
    list: Vec<u32>,
}

/// What a place is found through, if it is a guard.
#[volt::state_machine(explicit)]
async fn guarded(config: &RefCell<Config>, queue: &Mutex<u32>) -> u32 {
    let first: u32 = match config.borrow().at {
        0 => load(1).await,
        _ => 0,
    };
    let second: u32 = match config.borrow().list[0] {
        0 => load(1).await,
        _ => 0,
    };
    let third: u32 = match *queue.lock().unwrap() as usize {
        0 => load(1).await,
        _ => 0,
    };
    if let 0 = *queue.lock().unwrap() {
        load(1).await;
    }
    first + second + third
}

fn main() {
    let _ = locked(Mutex::new(vec![]));
}

async fn load(id: u32) -> u32 {
    id
}
