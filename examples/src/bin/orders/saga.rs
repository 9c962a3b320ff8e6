//! The order: it reserves items, charges, and waits for a parcel. Without one it undoes all.

use std::time::Duration;

use volt_durable::{signal, sleep};

use crate::service::request;

/// Fulfils an order. Each request is a step. An order without a parcel undoes its requests, in
/// reverse.
#[volt::state_machine(derive(Serialize, Deserialize))]
pub(crate) async fn fulfil(order: String, items: Vec<String>, is_solvent: bool) -> String {
    let mut undo: Vec<String> = Vec::new();
    for item in items {
        #[step(key = key)]
        #[state(Reserving)]
        let reserved = request(key, format!("{order}: reserve {item}")).await;
        undo.push(reserved);
        #[state(Pausing)]
        sleep(Duration::from_millis(20)).await;
    }
    let mut outcome = String::from("refused");
    if is_solvent {
        #[step(key = key)]
        #[state(Paying)]
        let paid = request(key, format!("{order}: charge")).await;
        undo.push(paid);
        #[state(WaitingForParcel)]
        let parcel: Option<String> = signal("parcel").within(Duration::from_millis(500)).await;
        if let Some(parcel) = parcel {
            return format!("shipped {parcel}");
        }
        outcome = String::from("never sent");
    }
    while let Some(last) = undo.pop() {
        #[step(key = key)]
        #[state(Undoing)]
        let _ = request(key, format!("{order}: undo {last}")).await;
    }
    outcome
}
