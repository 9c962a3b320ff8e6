//! Names at places where the compiler rejects them are reported once.

async fn pause() {}

async fn load(number: u32) -> u32 {
    number
}

fn sum(first: u32, second: u8) -> u32 {
    first + u32::from(second)
}

#[volt::state_machine]
async fn two_wrong_calls(number: u32, text: &str) -> u32 {
    pause().await;
    let one = sum(number);
    let three = sum(number, 1, text);
    load(one + three).await
}

#[volt::state_machine]
async fn wrong_call_in_a_block(number: u32, text: &str) -> u32 {
    let later = async move { sum(number, text, 1) };
    later.await
}

#[volt::state_machine]
async fn local_as_a_length(length: usize) -> usize {
    let list = [0; length];
    pause().await;
    list.len()
}

#[volt::state_machine]
async fn alternatives_with_other_names(result: Result<u32, u32>) -> u32 {
    match result {
        Ok(page) | Err(error) => load(1).await,
    }
}

/// A local has the name of a function, and other parameters.
#[volt::state_machine]
async fn local_function(number: u32) -> u32 {
    let sum = |one: u32| one + 1;
    let next = sum(number);
    load(next).await
}

#[volt::state_machine]
async fn assigned_argument(mut number: u32) -> u32 {
    pause().await;
    number = "one";
    load(number).await
}

struct Page {
    size: u32,
}

impl Page {
    fn new(size: u32) -> Self {
        Self { size }
    }
}

#[volt::state_machine]
impl Page {
    async fn field_without_self(&self) -> u32 {
        pause().await;
        load(size).await
    }

    async fn wrong_constructor(&self) -> u32 {
        pause().await;
        Self::new(1, self.size).size
    }
}

#[volt::state_machine]
impl Page {
    async fn declared_twice(&self) -> u32 {
        load(self.size).await
    }

    async fn declared_twice(&self, added: u32) -> u32 {
        load(self.size + added).await
    }
}

fn main() {}
