//! What is awaited is no future: one error for each, in the user's words.

struct Client(Option<u32>);

fn number() -> u32 {
    1
}

#[volt::state_machine(native)]
async fn of_a_function() -> u32 {
    number().await + 1
}

#[volt::state_machine(native)]
impl Client {
    async fn of_a_field(&self) -> Option<u32> {
        let number = self.0.await?;
        Some(number)
    }
}

#[volt::state_machine(native)]
#[tracing::instrument]
async fn under_an_attribute(number: u32) -> String {
    number.await.to_string()
}

#[volt::state_machine(native)]
async fn in_a_loop_of_a_block() -> u32 {
    let sum = async {
        let mut sum = 0;
        while sum < 3 {
            sum += number().await;
        }
        sum
    };
    sum.await
}

#[volt::state_machine(native)]
async fn in_a_loop_beside_a_pinned_local() -> u32 {
    let beside = std::pin::pin!(std::future::ready(1));
    let sum = async {
        loop {
            number().await;
        }
    };
    sum.await;
    beside.await
}

#[volt::state_machine]
async fn in_a_loop_of_a_closure() -> u32 {
    let sum = async |limit: u32| {
        let mut sum = 0;
        while sum < limit {
            sum += number().min(limit).await;
            5.await;
        }
        sum
    };
    sum(1).await
}

#[volt::state_machine(explicit)]
async fn in_a_block_of_an_explicit_machine() -> u32 {
    let sum = async {
        5.await;
        number().await + std::future::ready(1).await
    };
    std::future::ready(()).await;
    sum.await
}

fn main() {}
