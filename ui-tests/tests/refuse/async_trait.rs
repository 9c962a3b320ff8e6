//! The attribute above one of that name. Here it is volt's own, which leaves the rest as it is.

use volt::state_machine as async_trait;

pub trait Probe {
    fn status(&self, url: &str) -> impl Future<Output = u16>;
}

pub struct Fixed;

#[volt::state_machine]
#[async_trait]
impl Probe for Fixed {
    async fn status(&self, _url: &str) -> u16 {
        std::future::ready(200).await
    }
}

fn main() {}
