//! A lifetime that nothing declares: what the compiler says of the function itself, once.

#[volt::state_machine]
async fn length(text: &'a str) -> usize {
    std::future::ready(text.len()).await
}

struct Page<'p>(&'p str);

#[volt::state_machine(native)]
impl<'p> Page<'p> {
    async fn find(&self, word: &'w str) -> Option<&'p str> {
        std::future::ready(()).await;
        self.0.find(word).map(|at| &self.0[at..])
    }

    async fn map(&self, change: &dyn for<'c> Fn(&'c str) -> &'c str) -> usize {
        std::future::ready(change(self.0).len()).await
    }
}

fn main() {}
