//! `cargo volt durable` on a SQLite file, and on PostgreSQL if `VOLT_DURABLE_POSTGRES` is set.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::Duration;

use futures_lite::future::block_on;
use serde_json::Value;
use volt_durable::postgres::{Client, NoTls};
use volt_durable::rusqlite::Connection;
use volt_durable::store::{
    AfterFailure, Claim, Claimed, Failure, KnownType, MachineId, NewMachine, PostgresStore,
    SqliteStore, Store,
};

/// Runs the command. The store is its second argument.
fn durable(action: &str, store: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-volt"));
    command.args(["volt", "durable", action, store]);
    let output = command.args(arguments).output();
    output.expect("the command runs")
}

/// Returns the text of a successful command.
fn text(action: &str, store: &str, arguments: &[&str]) -> String {
    let output = durable(action, store, arguments);
    assert!(output.status.success(), "{output:#?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns the text of a command whose exit code is 1.
fn refusal(action: &str, store: &str, arguments: &[&str]) -> String {
    let output = durable(action, store, arguments);
    assert_eq!(output.status.code(), Some(1), "{output:#?}");
    let text = [output.stdout, output.stderr].concat();
    String::from_utf8(text).expect("UTF-8")
}

fn json(action: &str, store: &str, arguments: &[&str]) -> Value {
    let arguments = [arguments, &["--json"]].concat();
    serde_json::from_str(&text(action, store, &arguments)).expect("JSON")
}

fn order(key: &str) -> NewMachine {
    NewMachine {
        machine_type: "Order".into(),
        key: key.into(),
        state: "start".into(),
        snapshot: r#"{"start":{"cents":5,"card":{"$secret":"4711"}}}"#.into(),
    }
}

async fn claim_one<S: Store>(store: &S) -> Claimed {
    let claim = Claim {
        known: vec![KnownType {
            name: "Order".into(),
            states: vec!["start".into()],
        }],
        limit: 1,
        lease: Duration::from_secs(3_600),
        max_attempts: 5,
        suspects: 1,
    };
    let mut claimed = store.claim(&claim).await.expect("a claim");
    claimed.pop().expect("a machine")
}

/// Starts three machines: one is parked, one waits for its next attempt, one is runnable.
async fn fill<S: Store>(store: &S) -> [MachineId; 3] {
    let after = Duration::from_secs(3_600);
    let mut ids = Vec::new();
    for (key, then) in [
        ("a", AfterFailure::Park),
        ("b", AfterFailure::Retry { after }),
    ] {
        store.start(&order(key)).await.expect("a machine");
        let held = claim_one(store).await.held;
        let failure = Failure {
            held,
            error: "no such account\nand more".into(),
            then,
        };
        assert_eq!(store.fail(&failure).await.expect("a result"), None);
        ids.push(held.id);
    }
    ids.push(store.start(&order("c")).await.expect("a machine").id);
    ids.try_into().expect("three machines")
}

fn check(store: &str, [parked, failed, runnable]: [MachineId; 3]) {
    let (parked, failed) = (parked.to_string(), failed.to_string());
    let runnable = runnable.to_string();
    let list = text("list", store, &[]);
    assert_eq!(list.lines().count(), 4, "{list}");
    let first = list.lines().nth(1).expect("a row");
    for part in [
        parked.as_str(),
        "parked",
        "Order",
        " a ",
        "start",
        "no such account",
    ] {
        assert!(first.contains(part), "{part} in {first}");
    }
    assert!(!list.contains("and more"), "{list}");
    let groups = json("list", store, &["--groups"]);
    assert_eq!(
        groups["groups"].as_array().map(Vec::len),
        Some(3),
        "{groups}"
    );
    let unclaimed = groups["groups"].as_array().into_iter().flatten();
    let unclaimed = unclaimed.map(|group| group["unclaimed"].as_u64());
    assert_eq!(unclaimed.sum::<Option<u64>>(), Some(1), "{groups}");
    let table = text("list", store, &["--groups"]);
    assert!(table.contains("unclaimed"), "{table}");
    let unclaimed = json("list", store, &["--unclaimed-for", "0s"]);
    assert_eq!(unclaimed["rows"][0]["key"], "c");
    assert_eq!(unclaimed["rows"].as_array().map(Vec::len), Some(1));
    let page = json("list", store, &["--limit", "2"]);
    let next = page["next"].to_string();
    assert_eq!(next, failed);
    let page = json("list", store, &["--after", &next]);
    assert_eq!(
        (&page["rows"][0]["key"], &page["next"]),
        (&"c".into(), &Value::Null)
    );
    let old = text("list", store, &["--unchanged-for", "1d"]);
    assert_eq!(old, "no machines\n");

    let shown = text("show", store, &[&parked]);
    assert!(shown.contains(r#""card": "(secret)""#), "{shown}");
    assert!(!shown.contains("4711"), "{shown}");
    let error = "error     no such account\n          and more\n";
    assert!(shown.contains(error), "{shown}");
    assert!(refusal("show", store, &["999"]).contains("the store has no machine 999"));

    let requested = text("cancel", store, &[&parked]);
    assert!(
        requested.contains("after `retry` or `resume`"),
        "{requested}"
    );
    let refused = refusal("resume", store, &[&failed, &parked]);
    assert!(
        refused.contains(&format!("{failed} is waiting, not parked")),
        "{refused}"
    );
    assert!(
        refused.contains(&format!("{parked} is runnable")),
        "{refused}"
    );
    assert!(text("retry", store, &[&failed]).contains("is runnable"));
    assert!(refusal("retry", store, &[&runnable]).contains("has not failed"));
    assert!(refusal("resume", store, &[]).contains("--all"));
    assert_eq!(
        text("resume", store, &["--all"]),
        "0 machines are runnable\n"
    );
    let rows = json("list", store, &["--status", "runnable"]);
    assert_eq!(rows["rows"].as_array().map(Vec::len), Some(3));

    assert!(text("cancel", store, &[&runnable]).contains("next `cancellable` await"));
    assert!(text("cancel", store, &[&runnable, "--end"]).contains("is cancelled"));
    assert!(refusal("cancel", store, &[&runnable]).contains("has ended"));
    let cancelled = json("show", store, &[&runnable]);
    assert_eq!(cancelled["status"], "cancelled");
}

fn new_file(name: &str) -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = file.join(format!("{name}-{}.db", std::process::id()));
    let _ = std::fs::remove_file(&file);
    file
}

#[test]
fn machines_of_a_sqlite_file_are_repaired() {
    let file = new_file("repaired");
    let ids = block_on(async {
        let store = SqliteStore::open(&file).await.expect("a store");
        fill(&store).await
    });
    check(file.to_str().expect("UTF-8"), ids);
}

#[test]
fn cancel_names_a_missing_worker() {
    let file = new_file("unclaimed");
    let store = file.to_str().expect("UTF-8");
    block_on(async {
        let store = SqliteStore::open(&file).await.expect("a store");
        store.start(&order("a")).await.expect("a machine");
    });
    let requested = text("cancel", store, &["1"]);
    assert!(!requested.contains("no worker"), "{requested}");
    let connection = Connection::open(&file).expect("a file");
    let update = "update durable_machine set ready = ready - 600000";
    connection.execute_batch(update).expect("an older row");
    let requested = text("cancel", store, &["1"]);
    assert!(requested.contains("already"), "{requested}");
    assert!(
        requested.contains("no worker has claimed it"),
        "{requested}"
    );
}

#[test]
fn machines_of_postgres_are_repaired() {
    let Ok(address) = std::env::var("VOLT_DURABLE_POSTGRES") else {
        eprintln!("skipped: VOLT_DURABLE_POSTGRES is not set");
        return;
    };
    let schema = format!("command_{}", std::process::id());
    let mut client = Client::connect(&address, NoTls).expect("a connection");
    let create = format!("drop schema if exists {schema} cascade; create schema {schema}");
    client.batch_execute(&create).expect("a schema");
    let address = format!("{address} options='-c search_path={schema}'");
    let missing = refusal("list", &address, &[]);
    assert!(missing.contains("no table `durable_machine`"), "{missing}");
    let ids = block_on(async {
        let store = PostgresStore::connect(&address).await.expect("a store");
        fill(&store).await
    });
    check(&address, ids);
    let drop = format!("drop schema {schema} cascade");
    client.batch_execute(&drop).expect("the schema");
}

#[test]
fn other_files_are_not_changed() {
    let file = new_file("other");
    let missing = refusal("list", file.to_str().expect("UTF-8"), &[]);
    assert!(missing.contains("error: opening"), "{missing}");
    assert!(!file.exists());
    let connection = Connection::open(&file).expect("a file");
    connection
        .execute_batch("create table account (name)")
        .expect("a table");
    let refused = refusal("list", file.to_str().expect("UTF-8"), &[]);
    assert!(
        refused.contains("has no table `durable_machine`"),
        "{refused}"
    );
    let tables = "select count(*) from sqlite_master";
    let tables = connection.query_row(tables, [], |row| row.get(0));
    assert_eq!(tables, Ok(1));
}
