//! A recursion by a boxed future that is not `Send`, behind an alias of a macro: the error has the
//! option to write.
use std::future::ready;
use std::pin::Pin;

macro_rules! alias {
    ($name:ident) => {
        type $name<'a> = Pin<Box<dyn Future<Output = u32> + 'a>>;
    };
}

alias!(Stays);

struct Page(u32);

impl Page {
    async fn load(&self) -> u32 {
        match self.0 {
            0 => 0,
            number => sum(Page(number - 1)).await,
        }
    }
}

async fn next(number: u32) -> u32 {
    match number {
        0 => 0,
        _ => first(number - 1).await,
    }
}

#[volt::state_machine(native)]
async fn sum(page: Page) -> u32 {
    let loads: Vec<Stays<'_>> = vec![Box::pin(page.load())];
    let mut sum = 0;
    for load in loads {
        sum += load.await;
    }
    sum
}

#[volt::state_machine(explicit)]
async fn first(number: u32) -> u32 {
    let load: Stays<'static> = Box::pin(next(number));
    load.await
}

#[volt::state_machine(local)]
async fn last(number: u32) -> u32 {
    let load: Stays<'static> = Box::pin(ready(number));
    load.await
}

fn main() {}
