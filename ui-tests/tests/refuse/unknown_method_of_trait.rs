//! A method that the trait does not have is reported at the whole method.

use std::future::Future;

trait Api {
    fn get(&self) -> impl Future<Output = u32>;
}

struct Page;

#[volt::state_machine]
impl Api for Page {
    async fn get(&self) -> u32 {
        1
    }

    async fn put(&self) -> u32 {
        2
    }
}

fn main() {}
