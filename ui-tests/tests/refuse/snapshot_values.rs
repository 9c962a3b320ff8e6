use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::time::{Duration, Instant};

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn child(number: u32) -> u32 {
    number
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn local_without_the_traits() -> Duration {
    let begin = Instant::now();
    let shared = Rc::new(1);
    #[state(Waiting)]
    child(*shared).await;
    begin.elapsed()
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn iterator_of_a_loop(words: Vec<String>) {
    for (index, word) in words.into_iter().enumerate() {
        child(index as u32).await;
        drop(word);
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn argument_that_borrows(name: &str) -> usize {
    child(1).await;
    name.len()
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn local_that_borrows() -> usize {
    let name: &'static str = "static";
    child(1).await;
    name.len()
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn leaf_that_waits() {
    volt::time::sleep(Duration::ZERO).await;
}

async fn plain() {}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn plain_future() {
    plain().await;
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn boxed_future(future: Pin<Box<dyn Future<Output = u32>>>) -> u32 {
    future.await
}

#[volt::state_machine]
async fn push(list: &mut Vec<u32>) {
    list.push(1);
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn await_that_borrows() -> usize {
    let mut list = Vec::new();
    push(&mut list).await;
    list.len()
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn native_layout() -> u32 {
    let two = (child(1).await, unknown!());
    two.0
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn generic<T>(value: T, since: Instant) -> T {
    child(1).await;
    drop(since);
    value
}

fn main() {}
