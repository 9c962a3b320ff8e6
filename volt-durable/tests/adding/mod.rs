//! A machine that several tests have, and the names of types.

use volt_durable::signal;
use volt_durable::store::KnownType;

pub(crate) fn known(name: &str, state: &str) -> KnownType {
    KnownType {
        name: name.into(),
        states: vec![state.into()],
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
pub(crate) async fn add(count: u32) -> Vec<u64> {
    let mut values = Vec::new();
    let mut left = count;
    while left > 0 {
        #[state(Receiving)]
        let value: u64 = signal("value").await;
        values.push(value);
        left -= 1;
    }
    values
}
