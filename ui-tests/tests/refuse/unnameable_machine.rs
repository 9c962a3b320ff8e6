//! A function is re-exported without its machine, whose interface the option `public` pins.

mod inner {
    #[volt::state_machine(public(Send))]
    pub async fn later(number: u32) -> u32 {
        std::future::ready(number).await
    }

    #[volt::state_machine(public(Send))]
    pub async fn named(number: u32) -> u32 {
        std::future::ready(number).await
    }
}

pub use inner::{Named, later, named};

fn main() {}
