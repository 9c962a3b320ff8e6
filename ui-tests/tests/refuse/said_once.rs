//! What is wrong in a function with an explicit machine is said once, and as the compiler says it of a plain function,
//! though the text stands in the machine too.

use std::future::ready;

struct Page {
    text: String,
}

fn number(n: u32) -> u32 {
    n
}

async fn eat(text: String) -> usize {
    ready(text.len()).await
}

#[volt::state_machine(explicit)]
async fn awaits_a_number(n: u32) -> u32 {
    let n = number(n).await;
    ready(n).await
}

#[volt::state_machine(explicit)]
async fn returns_a_text(n: u32) -> u32 {
    if ready(n).await > 1 {
        return "one";
    }
    "none"
}

#[volt::state_machine(explicit)]
async fn returns_nothing(n: u32) -> u32 {
    ready(n).await;
}

#[volt::state_machine(explicit)]
async fn asks_a_number(n: u32) -> Result<u32, String> {
    let n = number(n)?;
    Ok(ready(n).await)
}

#[volt::state_machine(explicit)]
async fn goes_through_a_number(n: u32) -> u32 {
    for item in number(n) {
        ready(item).await;
    }
    n
}

#[volt::state_machine(explicit)]
async fn forgets_an_arm(n: Option<u32>) -> u32 {
    match ready(n).await {
        Some(n) => n,
    }
}

#[volt::state_machine(explicit)]
async fn uses_what_was_moved(text: String) -> usize {
    let eaten = eat(text).await;
    eaten + text.len()
}

#[volt::state_machine(explicit)]
async fn moves_in_a_loop(text: String) -> usize {
    let mut sum = 0;
    while sum < 3 {
        sum += eat(text).await;
    }
    sum
}

#[volt::state_machine]
async fn moves_what_is_borrowed() -> usize {
    let words = vec![1];
    let borrowed = &words;
    drop(words);
    ready(()).await;
    borrowed.len()
}

#[volt::state_machine(explicit)]
async fn prints_what_is_not_there(number: u32) -> u32 {
    ready(()).await;
    println!("{numbre} {number}");
    number
}

#[volt::state_machine(explicit)]
impl Page {
    async fn gives_a_number(&self) -> usize {
        eat(self.text.len()).await
    }

    async fn gives_what_is_lent(&self) -> usize {
        eat(self.text).await
    }

    async fn changes_what_is_lent(&self, text: String) -> usize {
        self.text = text;
        ready(self.text.len()).await
    }
}

#[volt::state_machine(native)]
impl Page {
    async fn natively_gives_what_is_lent(&self) -> usize {
        eat(self.text).await
    }
}

fn main() {}
