trait Source {
    type Item;
    fn take(&mut self) -> Self::Item;
}

trait Fetch: Source {
    type Future<'a>: Future<Output = Self::Item>
    where
        Self: 'a;
    fn fetch(&mut self) -> Self::Future<'_>;
}

struct Numbers(u32);

impl Source for Numbers {
    type Item = u32;
    fn take(&mut self) -> u32 {
        self.0
    }
}

#[volt::state_machine(explicit)]
impl Fetch for Numbers {
    type Future<'a> = NumbersFetch<'a>;
    async fn fetch(&mut self) -> Self::Item {
        let item: Self::Item = self.take();
        volt::task::yield_now().await;
        item
    }
}

fn main() {}
