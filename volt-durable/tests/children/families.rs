//! Machines with children.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use volt_durable::{
    Cancelled, Child, ChildError, Raced, cancellable, child, join, join_all, race, signal, sleep,
    timeout,
};

pub(crate) const DAY: Duration = Duration::from_secs(86_400);

/// The numbers of the children that have begun their step.
static STEPS: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());

/// The tests share the steps, so one runs at a time.
static ALONE: Mutex<()> = Mutex::new(());

async fn charge(number: u64) -> u64 {
    let mut steps = STEPS.lock().unwrap_or_else(PoisonError::into_inner);
    steps.insert(number);
    number * 10
}

/// A child with a step and a timer.
#[volt::state_machine(derive(Serialize, Deserialize))]
pub(crate) async fn ship(number: u64) -> u64 {
    #[step]
    #[state(Charging)]
    let charged = charge(number).await;
    #[state(Packing)]
    sleep(DAY).await;
    charged + 1
}

/// A child that waits for its cancellation.
#[volt::state_machine(derive(Serialize, Deserialize))]
pub(crate) async fn wait_long(number: u64) -> u64 {
    #[state(WaitingLong)]
    let waited: Result<u64, Cancelled> = cancellable(signal("never")).await;
    #[step]
    #[state(Undoing)]
    charge(number).await;
    waited.unwrap_or(number)
}

#[volt::state_machine(derive(Serialize, Deserialize))]
pub(crate) async fn fail() -> u64 {
    #[step]
    #[state(Failing)]
    panics().await;
    0
}

async fn panics() {
    panic!("a test");
}

pub(crate) type Shipped = Result<u64, ChildError>;

#[volt::state_machine(derive(Serialize, Deserialize))]
pub(crate) async fn ship_one() -> Shipped {
    #[state(Shipping)]
    let shipped: Shipped = child(ship(1)).await;
    shipped
}

#[volt::state_machine(derive(Serialize, Deserialize))]
pub(crate) async fn ship_two() -> u64 {
    #[state(Shipping)]
    let both: (Shipped, Shipped) = join(child(ship(1)), child(ship(2))).await;
    both.0.unwrap_or(0) * 100 + both.1.unwrap_or(0)
}

#[volt::state_machine(derive(Serialize, Deserialize))]
pub(crate) async fn ship_many(count: u64) -> Vec<u64> {
    let parcels: Vec<Child<Ship>> = (1..=count).map(|number| child(ship(number))).collect();
    #[state(Shipping)]
    let shipped: Vec<Shipped> = join_all(parcels).limit(2).await;
    shipped
        .into_iter()
        .map(|shipped| shipped.unwrap_or(0))
        .collect()
}

/// Loses its child to a timeout, and then waits longer than the child.
#[volt::state_machine(derive(Serialize, Deserialize))]
pub(crate) async fn give_up() -> bool {
    #[state(Waiting)]
    let waited: Option<Shipped> = timeout(DAY, child(wait_long(1))).await;
    #[state(Resting)]
    sleep(DAY).await;
    waited.is_none()
}

#[volt::state_machine(derive(Serialize, Deserialize))]
pub(crate) async fn let_run() -> bool {
    #[state(Waiting)]
    let waited: Option<Shipped> = timeout(Duration::from_secs(1), child(ship(1)).detached()).await;
    waited.is_none()
}

#[volt::state_machine(derive(Serialize, Deserialize))]
pub(crate) async fn pass_cancellation_on() -> bool {
    #[state(Waiting)]
    let waited: Result<Shipped, Cancelled> = cancellable(child(wait_long(1))).await;
    waited.is_err()
}

#[volt::state_machine(derive(Serialize, Deserialize))]
pub(crate) async fn await_failing() -> Shipped {
    #[state(Waiting)]
    let failed: Shipped = child(fail()).await;
    failed
}

#[volt::state_machine(derive(Serialize, Deserialize))]
pub(crate) async fn await_repaired() -> Shipped {
    #[state(Waiting)]
    let repaired: Shipped = child(fail()).awaits_retry().await;
    repaired
}
/// A machine that is ready in the poll that starts a child drops the child.
#[volt::state_machine(derive(Serialize, Deserialize))]
pub(crate) async fn lose_at_once() -> bool {
    #[state(Racing)]
    let raced: Raced<Shipped, u64> = race(child(ship(1)), signal("now")).await;
    matches!(raced, Raced::Second(_))
}

/// Takes the numbers of the children that have begun their step.
pub(crate) fn take_steps() -> BTreeSet<u64> {
    std::mem::take(&mut *STEPS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Waits until no other test uses the steps.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}
