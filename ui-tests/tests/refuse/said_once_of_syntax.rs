//! What the compiler cannot read it says by itself, and it knows best from where a `break` cannot leave. The function
//! and its machine are there all the same.

use std::future::ready;

struct Page {
    text: String,
}

#[volt::state_machine]
async fn lacks_an_operand(n: u32) -> u32 {
    n + ;
}

#[volt::state_machine]
async fn lacks_a_semicolon(n: u32) -> u32 {
    let x = 3 ready(()).await;
    n
}

#[volt::state_machine]
impl Page {
    async fn lacks_a_name(&self) -> usize {
        self.
    }

    async fn is_whole(&self) -> usize {
        ready(self.text.len()).await
    }
}

#[volt::state_machine(explicit)]
async fn leaves_nothing(n: u32) -> u32 {
    ready(()).await;
    if n > 1 {
        break;
    }
    n
}

fn main() {
    let page = Page { text: String::new() };
    let _ = (lacks_an_operand(1), lacks_a_semicolon(1), page.lacks_a_name(), page.is_whole());
    let _: LeavesNothing = leaves_nothing(1);
}
