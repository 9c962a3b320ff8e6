//! What the compiler says of operands that cannot be lent to.

use volt::future::join;
use volt::task::yield_now;

#[volt::state_machine(explicit)]
async fn fill(list: &mut Vec<u32>, count: u32) -> u32 {
    yield_now().await;
    list.push(count);
    count
}

/// Two that change the same.
#[volt::state_machine(explicit)]
async fn both(mut list: Vec<u32>) -> u32 {
    let (a, b): (u32, u32) = join(fill(&mut list, 1), fill(&mut list, 2)).await;
    a + b
}

/// A combinator of one's own.
mod own {
    use std::pin::Pin;
    use std::task::{Context, Poll};

    pub struct Race<A, B>(A, B);

    pub fn race<A: Future, B: Future>(a: A, b: B) -> Race<A, B> {
        Race(a, b)
    }

    #[expect(non_camel_case_types, reason = "found by its function")]
    pub type race<A, B> = Race<A, B>;

    impl<A: Future, B> Future for Race<A, B> {
        type Output = A::Output;

        fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<A::Output> {
            Poll::Pending
        }
    }
}

#[volt::state_machine(explicit)]
async fn with_own(mut list: Vec<u32>, mut other: Vec<u32>) -> u32 {
    own::race(fill(&mut list, 1), fill(&mut other, 2)).await
}

fn main() {}
