//! A service that a saga calls, and the saga.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use volt::machine::StepKey;
use volt_durable::{Cancelled, cancellable, signal, sleep, timeout};

/// The effects of the service by key, with the number of requests of each.
static EFFECTS: Mutex<BTreeMap<String, (String, u32)>> = Mutex::new(BTreeMap::new());

/// Does an effect once for each key, as an idempotent service does.
///
/// # Panics
///
/// Panics if another effect has the key.
async fn request(key: StepKey, effect: String) -> String {
    // The request takes more than one poll.
    futures_lite::future::yield_now().await;
    let mut effects = EFFECTS.lock().expect("no panic in a request");
    let stored = effects
        .entry(key.to_string())
        .or_insert_with(|| (effect.clone(), 0));
    assert_eq!(stored.0, effect, "two effects with the key {key}");
    stored.1 += 1;
    format!("done {effect}")
}

/// Removes the effects, and returns them with the number of requests of each.
pub(crate) fn take_effects() -> BTreeMap<String, (String, u32)> {
    std::mem::take(&mut *EFFECTS.lock().expect("no panic in a request"))
}

/// Reserves all items, charges, and waits for a parcel. Without one, or after a cancellation, it
/// undoes all requests.
#[volt::state_machine(derive(Serialize, Deserialize))]
pub(crate) async fn fulfil(order: String, items: Vec<String>) -> String {
    let mut undo: Vec<String> = Vec::new();
    for item in items {
        #[step(key = key)]
        #[state(Reserving)]
        let reserved = request(key, format!("{order}: reserve {item}")).await;
        undo.push(reserved);
        #[state(Pausing)]
        sleep(Duration::from_secs(60)).await;
    }
    #[step(key = key)]
    #[state(Paying)]
    let paid = request(key, format!("{order}: charge")).await;
    undo.push(paid);
    #[state(WaitingForParcel)]
    let parcel: Result<Option<String>, Cancelled> =
        cancellable(timeout(Duration::from_secs(3_600), signal("parcel"))).await;
    if let Ok(Some(parcel)) = parcel {
        return format!("{order}: shipped {parcel}");
    }
    while let Some(last) = undo.pop() {
        #[step(key = key)]
        #[state(Undoing)]
        let _ = request(key, format!("{order}: undo {last}")).await;
    }
    format!("{order}: refunded")
}
