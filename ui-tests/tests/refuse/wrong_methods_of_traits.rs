//! A method that differs from its trait is reported at the place of a plain method.

use std::future::Future;

trait Api {
    fn get(&self) -> impl Future<Output = u32>;
    fn count() -> impl Future<Output = u32>;
    fn size(&self) -> impl Future<Output = u32>;
}

struct Page;

#[volt::state_machine]
impl Api for Page {
    async fn get() -> u32 {
        1
    }
    async fn count(&self) -> u32 {
        2
    }
    async fn size(&self) -> u64 {
        3
    }
}

fn main() {}
