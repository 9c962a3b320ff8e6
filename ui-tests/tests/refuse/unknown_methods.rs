use volt::task::yield_now;

struct Client;

#[volt::state_machine]
async fn unknown_method(client: Client) -> u32 {
    yield_now().await;
    client.fetsh(1)
}

#[volt::state_machine]
async fn unknown_awaited_method(client: &Client) -> u32 {
    let page = client.fetsh(1).await;
    page + 1
}

#[volt::state_machine]
async fn unknown_name() -> u32 {
    yield_now().await;
    lode(1).await
}

#[volt::state_machine]
async fn wrong_output(number: u32) -> String {
    yield_now().await;
    number
}

fn main() {}
