//! A future that is used as a value is reported once, with the advice to await it.

use std::future::Future;

async fn fetch(text: &str) -> Result<String, u32> {
    Ok(text.to_owned())
}

async fn store(text: String) -> usize {
    text.len()
}

async fn find(number: u32) -> Option<u32> {
    Some(number)
}

#[volt::state_machine]
async fn question_mark_in_a_generic_function<T: Clone>(extra: T) -> Result<usize, u32> {
    let text = fetch("a")?;
    store(text.clone()).await;
    Ok(text.len())
}

#[volt::state_machine]
async fn matched_result() -> usize {
    match fetch("a") {
        Ok(text) => store(text).await,
        Err(_) => 0,
    }
}

#[volt::state_machine]
async fn matched_option() -> u32 {
    if let Some(number) = find(1) {
        find(number).await.unwrap_or(number)
    } else {
        0
    }
}

struct Page(u32);

#[volt::state_machine]
impl Page {
    async fn else_block(&self) -> u32 {
        let Some(number) = find(self.0) else {
            return find(2).await.unwrap_or(0);
        };
        number
    }
}

mod other {
    pub async fn find(number: u32) -> Option<u32> {
        Some(number)
    }
}

#[volt::state_machine]
async fn matched_future_of_another_module() -> u32 {
    match other::find(1) {
        Some(number) => find(number).await.unwrap_or(number),
        None => 0,
    }
}

#[volt::state_machine]
async fn box_in_a_generic_function<T: Clone>(
    value: T,
    work: Box<dyn Future<Output = u32>>,
) -> u32 {
    let number: u32 = work.await;
    drop(value);
    number
}

#[volt::state_machine]
async fn recursive_with_a_question_mark(number: u32) -> Result<u32, String> {
    if number == 0 {
        return Ok(0);
    }
    let below = Box::pin(recursive_with_a_question_mark(number - 1))?;
    Ok(below + 1)
}

#[volt::state_machine]
async fn recursive_local(number: u32) -> Option<u32> {
    let below = Box::pin(recursive_local(number - 1));
    Some(below.unwrap() + 1)
}

struct Tree(u32);

#[volt::state_machine]
impl Tree {
    async fn recursive_method(&self, number: u32) -> u32 {
        if number == self.0 {
            return 0;
        }
        self.recursive_method(number + 1) + 1
    }
}

fn main() {}
