//! Messages: each id is delivered once, to a save that is stored.

use super::fixture::{
    Fixture, SHORT, claim_all, claim_one, claim_one_for, message, row, save, save_of, send, start,
    waits_for,
};
use crate::store::{Continuation, Save, Sent, Status, Store};

/// A message makes the machine that waits for its signal claimable.
pub async fn message_wakes_the_machine<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let id = start(&store, "a").await;
    let claimed = claim_one(&store).await;
    assert!(save(&store, &save_of(&claimed, waits_for("parcel"))).await);
    let waiting = row(&store, id).await;
    assert_eq!((waiting.status, waiting.lease), (Status::Waiting, None));
    assert_eq!(waiting.signals, ["parcel"]);
    assert!(claim_all(&store).await.is_empty());
    let other = send(&store, &message("a", "refund", "1", "1")).await;
    assert_eq!(other, Sent::Stored);
    assert!(claim_all(&store).await.is_empty(), "another signal");
    send(&store, &message("a", "parcel", "2", r#"{"nr":7}"#)).await;
    let claimed = claim_one(&store).await;
    let names: Vec<_> = claimed
        .messages
        .iter()
        .map(|message| &message.name)
        .collect();
    assert_eq!(names, ["refund", "parcel"]);
    assert_eq!(claimed.messages[1].body.replace(' ', ""), r#"{"nr":7}"#);
}

/// A message that arrives before the machine waits is not lost.
pub async fn message_before_the_wait_is_delivered<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    start(&store, "a").await;
    let claimed = claim_one(&store).await;
    assert_eq!(claimed.messages, []);
    send(&store, &message("a", "parcel", "1", "7")).await;
    assert!(save(&store, &save_of(&claimed, waits_for("parcel"))).await);
    let claimed = claim_one(&store).await;
    assert_eq!(claimed.messages.len(), 1);
}

/// Of several messages with one id, the first is stored.
pub async fn message_id_is_stored_once<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    start(&store, "a").await;
    start(&store, "b").await;
    let first = send(&store, &message("a", "parcel", "1", "7")).await;
    let second = send(&store, &message("a", "parcel", "1", "8")).await;
    let other = send(&store, &message("b", "parcel", "1", "9")).await;
    assert_eq!(
        [first, second, other],
        [Sent::Stored, Sent::Duplicate, Sent::Stored]
    );
    let claimed = claim_all(&store).await;
    let bodies = claimed.iter().map(|claimed| {
        let bodies = claimed.messages.iter().map(|message| message.body.as_str());
        bodies.collect::<Vec<_>>()
    });
    assert_eq!(bodies.collect::<Vec<_>>(), [["7"], ["9"]]);
}

/// A taken message is not delivered again, even if it is sent again.
pub async fn taken_message_stays_taken<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    start(&store, "a").await;
    send(&store, &message("a", "parcel", "1", "7")).await;
    send(&store, &message("a", "parcel", "2", "8")).await;
    let claimed = claim_one(&store).await;
    let taking = Save {
        taken: vec![claimed.messages[0].nr],
        ..save_of(&claimed, waits_for("parcel"))
    };
    assert!(save(&store, &taking).await);
    let again = send(&store, &message("a", "parcel", "1", "7")).await;
    assert_eq!(again, Sent::Duplicate);
    let claimed = claim_one(&store).await;
    let bodies = claimed.messages.iter().map(|message| message.body.as_str());
    assert_eq!(bodies.collect::<Vec<_>>(), ["8"]);
    let taking = Save {
        taken: vec![claimed.messages[0].nr],
        ..save_of(&claimed, waits_for("parcel"))
    };
    assert!(save(&store, &taking).await);
    assert!(claim_all(&store).await.is_empty(), "all messages are taken");
}

/// A message that no save has taken is delivered again after a crash.
pub async fn untaken_message_is_delivered_again<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    start(&store, "a").await;
    send(&store, &message("a", "parcel", "1", "7")).await;
    let first = claim_one_for(&store, SHORT).await;
    assert!(save(&store, &save_of(&first, Continuation::Runs)).await);
    fixture.pass(&store, SHORT).await;
    let second = claim_one(&store).await;
    assert_eq!(second.messages, first.messages);
}

/// Messages are delivered in the order in which they were stored.
pub async fn messages_are_delivered_in_order<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    start(&store, "a").await;
    for nr in (0..12).rev() {
        let (id, body) = (format!("id-{nr}"), nr.to_string());
        send(&store, &message("a", "parcel", &id, &body)).await;
    }
    let claimed = claim_one(&store).await;
    let bodies = claimed.messages.iter().map(|message| message.body.clone());
    let expected = (0..12).rev().map(|nr| nr.to_string());
    assert!(bodies.eq(expected), "{claimed:#?}");
}

/// A message to no machine, or to one that has ended, is not stored.
pub async fn message_without_a_receiver_is_refused<F: Fixture>(fixture: &F) {
    let store = fixture.open().await;
    let sent = send(&store, &message("a", "parcel", "1", "7")).await;
    assert_eq!(sent, Sent::NoMachine);
    let id = start(&store, "a").await;
    assert!(store.cancel(id).await.expect("a result"));
    let sent = send(&store, &message("a", "parcel", "1", "7")).await;
    assert_eq!(sent, Sent::Ended);
}
