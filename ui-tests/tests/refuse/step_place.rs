async fn charge(cents: u64) -> u64 {
    cents
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn places(cents: u64) -> u64 {
    let paid = #[step] charge(cents).await;
    let closure = |cents: u64| {
        #[step]
        let doubled = 2 * cents;
        doubled
    };
    let doubled = closure(paid);
    let block = async {
        #[step]
        charge(1).await;
    };
    drop(block);
    #[step]
    #[state(Outer)]
    {
        #[step]
        #[state(Inner)]
        charge(2).await;
    }
    match doubled {
        #[step]
        0 => {}
        _ => {}
    }
    #[step(size = 3)]
    #[state(Options)]
    charge(3).await
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn same_name(cents: u64) {
    #[step]
    charge(cents).await;
    #[step]
    charge(cents).await;
}

fn main() {
    let _ = (places(1), same_name(1));
}
