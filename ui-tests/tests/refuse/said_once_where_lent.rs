//! A local that is lent as what it derefs to has no type in the machine of a function that is wrong elsewhere, and gets none
//! by that: nothing is said of the size of `str` and `[u8]`.

use std::future::ready;

async fn count(text: &str) -> usize {
    ready(text.len()).await
}

async fn fill(bytes: &mut [u8]) -> usize {
    ready(bytes.len()).await
}

async fn load(n: u32) -> Result<String, u8> {
    Ok(ready(n).await.to_string())
}

#[volt::state_machine(explicit)]
async fn lends_an_argument(text: String) -> usize {
    let a = count(&text).await;
    a.unwrap()
}

#[volt::state_machine(explicit)]
async fn forgets_an_await(text: String) -> usize {
    let a = count(&text).await;
    count(&text).len() + a
}

#[volt::state_machine(explicit)]
async fn lends_a_local_twice() -> usize {
    let mut bytes = vec![0; 10];
    let a = fill(&mut bytes).await;
    fill(&mut bytes).await + a.unwrap()
}

#[volt::state_machine(explicit)]
async fn lends_what_has_a_question_mark(n: u32) -> Result<usize, u8> {
    let text = load(n).await?;
    let a = count(&text).await;
    Ok(a.unwrap())
}

#[volt::state_machine(explicit)]
async fn moves_what_was_lent(text: String) -> usize {
    let a = count(&text).await;
    let moved = text;
    let b = count(&moved).await;
    a + b.unwrap()
}

#[volt::state_machine]
async fn asks_of_what_was_lent(text: String) -> usize {
    let a = count(&text).await;
    let b = a.nope();
    ready(()).await;
    text.into_bytes().len() + b
}

fn main() {}
