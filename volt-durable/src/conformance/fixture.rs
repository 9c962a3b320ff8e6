//! `Fixture`: the store that the suite tests, and the operations that its tests share.

use std::time::Duration;

use crate::store::{
    Claim, Claimed, Continuation, Family, Filter, KnownType, MachineId, Message, NewMachine, Row,
    Save, Sent, Started, Store, Wait,
};

/// A kind of store that the suite tests.
pub trait Fixture {
    /// The type of the store.
    type Store: Store;

    /// Opens a new store without machines.
    fn open(&self) -> impl Future<Output = Self::Store>;

    /// Lets time pass by the clock of the store. The default waits.
    fn pass(&self, store: &Self::Store, duration: Duration) -> impl Future<Output = ()> {
        let _ = store;
        async move {
            async_io::Timer::after(duration).await;
        }
    }
}

/// The type of the machines in most tests, and its states.
pub(super) const TYPE: &str = "Order";
pub(super) const FIRST_STATE: &str = "start";
pub(super) const NEXT_STATE: &str = "Paying";

/// A time that does not pass during a test.
pub(super) const LONG: Duration = Duration::from_secs(3_600);
/// A time that a test waits for.
pub(super) const SHORT: Duration = Duration::from_millis(15);

pub(super) fn known() -> Vec<KnownType> {
    vec![KnownType {
        name: TYPE.into(),
        states: vec![FIRST_STATE.into(), NEXT_STATE.into()],
    }]
}

/// The claim of a worker that knows [`TYPE`].
pub(super) fn claim_with(limit: usize, lease: Duration) -> Claim {
    Claim {
        known: known(),
        limit,
        lease,
        max_attempts: 5,
        suspects: 9,
    }
}

pub(super) fn new_machine(key: &str) -> NewMachine {
    NewMachine {
        machine_type: TYPE.into(),
        key: key.into(),
        state: FIRST_STATE.into(),
        snapshot: r#"{"start":{"cents":5}}"#.into(),
    }
}

pub(super) async fn start<S: Store>(store: &S, key: &str) -> MachineId {
    start_new(store, &new_machine(key)).await.id
}

pub(super) async fn start_new<S: Store>(store: &S, new: &NewMachine) -> Started {
    store.start(new).await.expect("a started machine")
}

/// Claims all machines that can run, for an hour.
pub(super) async fn claim_all<S: Store>(store: &S) -> Vec<Claimed> {
    claim(store, &claim_with(100, LONG)).await
}

pub(super) async fn claim<S: Store>(store: &S, claim: &Claim) -> Vec<Claimed> {
    store.claim(claim).await.expect("claimed machines")
}

/// Claims the only machine that can run, for an hour.
pub(super) async fn claim_one<S: Store>(store: &S) -> Claimed {
    claim_one_for(store, LONG).await
}

pub(super) async fn claim_one_for<S: Store>(store: &S, lease: Duration) -> Claimed {
    let mut claimed = claim(store, &claim_with(100, lease)).await;
    assert_eq!(claimed.len(), 1, "machines that can run: {claimed:#?}");
    claimed.remove(0)
}

/// Returns the next save of a claimed machine.
pub(super) fn save_of(claimed: &Claimed, then: Continuation) -> Save {
    Save {
        held: claimed.held,
        seq: claimed.seq + 1,
        next_step: claimed.next_step + 1,
        state: NEXT_STATE.into(),
        snapshot: r#"{"Paying":{"cents":7,"await":0}}"#.into(),
        taken: Vec::new(),
        family: Family {
            parent: claimed.parent,
            ..Family::default()
        },
        then,
    }
}

/// The machine waits for this signal.
pub(super) fn waits_for(signal: &str) -> Continuation {
    Continuation::Waits(Wait {
        wake: None,
        signals: vec![signal.into()],
    })
}

/// Saves one machine. Returns `true` if it is stored.
pub(super) async fn save<S: Store>(store: &S, save: &Save) -> bool {
    let saves = std::slice::from_ref(save);
    let lost = store.save(saves).await.expect("a result of the save");
    assert!(lost.iter().all(|lost| lost.id == save.held.id));
    lost.is_empty()
}

pub(super) fn message(key: &str, name: &str, id: &str, body: &str) -> Message {
    Message {
        machine_type: TYPE.into(),
        key: key.into(),
        name: name.into(),
        id: id.into(),
        body: body.into(),
    }
}

pub(super) async fn send<S: Store>(store: &S, message: &Message) -> Sent {
    store.send(message).await.expect("a result of the message")
}

/// Returns the row of a machine.
pub(super) async fn row<S: Store>(store: &S, id: MachineId) -> Row {
    let rows = store.list(&Filter::default()).await.expect("rows");
    let row = rows.into_iter().find(|row| row.id == id);
    row.expect("the row of the machine")
}
