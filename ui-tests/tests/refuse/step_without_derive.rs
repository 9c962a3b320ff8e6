async fn charge(cents: u64) -> u64 {
    cents
}

#[volt::state_machine]
async fn buy(cents: u64) -> u64 {
    #[step]
    #[state(Paying)]
    let paid = charge(cents).await;
    paid
}

#[volt::state_machine(native)]
async fn tail(cents: u64) -> u64 {
    #[step]
    charge(cents).await
}

struct Shop;

#[volt::state_machine]
impl Shop {
    async fn sell(&self, cents: u64) -> u64 {
        #[step]
        let sold = charge(cents).await;
        sold
    }
}

fn main() {
    let _ = (buy(1), tail(1), Shop.sell(1));
}
