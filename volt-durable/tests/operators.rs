//! Operators: lists of machines without their types, and actions by id.

mod driving;

use std::time::Duration;

use driving::{row, run_quiet, start};
use futures_lite::future::block_on;
use volt_durable::store::{Filter, MachineId, MemoryStore, Sent, Status};
use volt_durable::{Cancelled, Client, Secret, cancellable, sleep};

const DAY: Duration = Duration::from_secs(86_400);

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn subscribe(name: String, card: Secret<String>) -> String {
    #[state(Subscribed)]
    let year: Result<(), Cancelled> = cancellable(sleep(DAY * 365)).await;
    let last = card.expose().chars().last();
    format!("{name} {} {last:?}", year.is_ok())
}

/// Starts a machine, and runs it until it waits.
async fn subscribed() -> (MemoryStore, Client<MemoryStore>, MachineId) {
    let machine = subscribe("Ada".into(), Secret::new("4711-0815".into()));
    let (store, client) = start(machine).await;
    run_quiet::<Subscribe>(&store).await;
    let id = row::<Subscribe>(&store, "a").await.id;
    (store, client, id)
}

#[test]
fn secret_is_stored_and_not_listed() {
    block_on(async {
        let (store, client, id) = subscribed().await;
        store.advance(DAY);
        let page = client.list(&Filter::default()).await.expect("a page");
        let shown = serde_json::to_value(&page).expect("JSON");
        let row = &shown["rows"][0];
        assert_eq!(row["type"], "Subscribe");
        assert_eq!(
            (&row["status"], &row["state"]),
            (&"waiting".into(), &"Subscribed".into())
        );
        assert_eq!(row["values"]["name"], "Ada");
        assert_eq!(row["values"]["card"], "(secret)");
        assert!(!shown.to_string().contains("0815"), "{shown}");
        assert_eq!(page.now.since(page.rows[0].changed), DAY);
        store.advance(DAY * 365);
        run_quiet::<Subscribe>(&store).await;
        let outcome = client.outcome::<Subscribe>("a").await.expect("an outcome");
        assert_eq!(outcome, "Ada true Some('5')");
        let ended = client.inspect(id).await.expect("a row").expect("a machine");
        assert_eq!(ended.status, Status::Done);
    });
}

#[test]
fn machine_is_cancelled_by_its_id() {
    block_on(async {
        let (store, client, id) = subscribed().await;
        let unknown = MachineId(id.0 + 1);
        assert_eq!(client.inspect(unknown).await.expect("no row"), None);
        let cancel = async |id| client.cancel_by_id(id).await.expect("a result");
        assert_eq!(cancel(unknown).await, Sent::NoMachine);
        assert_eq!(cancel(id).await, Sent::Stored);
        assert_eq!(cancel(id).await, Sent::Duplicate);
        run_quiet::<Subscribe>(&store).await;
        let outcome = client.outcome::<Subscribe>("a").await.expect("an outcome");
        assert_eq!(outcome, "Ada false Some('5')");
        assert_eq!(cancel(id).await, Sent::Ended);
    });
}

#[test]
fn page_names_the_next_one_if_it_is_full() {
    block_on(async {
        let (_, client, id) = subscribed().await;
        for (limit, next) in [(1, Some(id)), (2, None)] {
            let filter = Filter {
                limit,
                ..Filter::default()
            };
            let page = client.list(&filter).await.expect("a page");
            assert_eq!((page.rows.len(), page.next), (1, next));
        }
    });
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn issue(token: Secret<String>) -> Secret<String> {
    token
}

#[test]
fn outcome_has_no_secret() {
    block_on(async {
        let (store, client) = start(issue(Secret::new("sk_live".into()))).await;
        run_quiet::<Issue>(&store).await;
        let page = client.list(&Filter::default()).await.expect("a page");
        let shown = serde_json::to_value(&page).expect("JSON");
        assert_eq!(shown["rows"][0]["outcome"], "(secret)");
        assert!(!shown.to_string().contains("sk_live"), "{shown}");
        let outcome = client.outcome::<Issue>("a").await.expect("an outcome");
        assert_eq!(outcome.expose(), "sk_live");
    });
}

mod newer {
    use super::{DAY, Secret, sleep};

    /// The build before had a text as its card.
    #[volt::state_machine(derive(Serialize, Deserialize), name = Subscribe)]
    pub(super) async fn subscribe(name: String, card: Secret<u64>) -> String {
        #[state(Subscribed)]
        sleep(DAY).await;
        format!("{name} {}", card.expose())
    }
}

#[test]
fn error_has_no_secret() {
    block_on(async {
        let machine = subscribe("Ada".into(), Secret::new("4711-0815".into()));
        let (store, _) = start(machine).await;
        run_quiet::<newer::Subscribe>(&store).await;
        let parked = row::<Subscribe>(&store, "a").await;
        assert_eq!(parked.status, Status::Parked);
        let error = parked.error.expect("an error");
        assert!(
            error.contains("a secret is stored in another form"),
            "{error}"
        );
        assert!(!error.contains("0815"), "{error}");
        drop(newer::subscribe("Ada".into(), Secret::new(1)));
    });
}
