//! A misspelled local is reported once, with the similar name, also in a state that does not store
//! the local.

#![deny(warnings)]

struct Page {
    title: String,
}

async fn load(number: usize) -> usize {
    number
}

#[volt::state_machine]
async fn count(number: usize) -> usize {
    let total = load(number).await;
    load(totl).await;
    println!("{nubmer} {ttoal}");
    nubmer + total
}

#[volt::state_machine]
impl Page {
    async fn length(&self, of_word: &str) -> usize {
        load(self.title.len()).await;
        load(word_of.len()).await
    }
}

fn main() {}
