//! A rolling change between two builds, each a program of its own, with one SQLite file.
//!
//! Each test compares the effect on a stored machine with the one that the schemas predict.

use std::path::{Path, PathBuf};
use std::process::Command;

use volt_durable::store::{Filter, Row, SqliteStore, Status};
use volt_durable::{Client, Effect, Schema};

const OLD: &str = env!("CARGO_BIN_EXE_old-build");
const NEW: &str = env!("CARGO_BIN_EXE_new-build");

/// Runs a command of a build, and returns its output.
fn run(build: &str, arguments: &[&str]) -> String {
    let output = Command::new(build).args(arguments).output();
    let output = output.expect("the program runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{build} {arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns the worst effect of a change between two builds on machines in a state.
fn predicted(from: &str, to: &str, state: &str) -> Effect {
    let schema = |build| Schema::from_json(&run(build, &["schema"])).expect("a schema");
    let changes = schema(to).changes_since(&schema(from));
    let in_state = changes
        .iter()
        .filter(|it| it.state.as_deref() == Some(state));
    let effects = in_state.map(|change| change.effect);
    effects.max().unwrap_or(Effect::Loads)
}

/// A database of both builds.
struct Database {
    path: PathBuf,
    client: Client<SqliteStore>,
}

impl Database {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let path = folder.join(format!("rolling-{name}-{}.db", std::process::id()));
        let store = volt::block_on(SqliteStore::open(&path)).expect("a store");
        let client = Client::new(store);
        Self { path, client }
    }

    fn run(&self, build: &str, command: &str, others: &[&str]) {
        let path = self.path.to_str().expect("UTF-8");
        run(build, &[&[command, path], others].concat());
    }

    fn row(&self, key: &str) -> Row {
        let filter = Filter {
            key: Some(key.to_owned()),
            ..Filter::default()
        };
        let page = volt::block_on(self.client.list(&filter)).expect("a page");
        page.rows.into_iter().next().expect("a row")
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

#[test]
fn new_build_continues_machines_of_the_old_one() {
    let database = Database::new("forward");
    database.run(OLD, "start", &["a"]);
    database.run(OLD, "work", &["a", "Waiting"]);
    // The new build reads the first state too.
    database.run(OLD, "start", &["first"]);
    database.run(NEW, "work", &["first", "WaitingForTruck"]);
    for key in ["a", "first"] {
        database.run(OLD, "send", &[key, "truck"]);
        database.run(OLD, "send", &[key, "driver"]);
        database.run(NEW, "work", &[key, "the end"]);
        let row = database.row(key);
        assert_eq!(row.status, Status::Done, "{:?}", row.error);
        let outcome = row.outcome.expect("an outcome");
        assert_eq!(outcome, r#""7: 1 parcels, truck, driver""#);
    }
    for state in ["start", "Waiting", "WaitingForDriver"] {
        assert_eq!(predicted(OLD, NEW, state), Effect::Loads, "{state}");
    }
}

#[test]
fn old_build_leaves_a_renamed_state() {
    let database = Database::new("state");
    database.run(NEW, "start", &["b"]);
    database.run(NEW, "work", &["b", "WaitingForTruck"]);
    database.run(NEW, "send", &["b", "truck"]);
    let before = database.row("b");
    // The worker of the old build has claimed its own machine, and not the other one.
    database.run(OLD, "start", &["own"]);
    database.run(OLD, "work", &["own", "Waiting"]);
    assert_eq!(database.row("b"), before);
    assert_eq!(predicted(NEW, OLD, "WaitingForTruck"), Effect::Waits);
    database.run(NEW, "send", &["b", "driver"]);
    database.run(NEW, "work", &["b", "the end"]);
    let outcome = database.row("b").outcome.expect("an outcome");
    assert_eq!(outcome, r#""7: 2 parcels, truck, driver""#);
}

#[test]
fn old_build_parks_a_renamed_local() {
    let database = Database::new("local");
    database.run(NEW, "start", &["c"]);
    let before = database.row("c");
    database.run(OLD, "work", &["c", "Waiting"]);
    let parked = database.row("c");
    assert_eq!(parked.status, Status::Parked);
    assert_eq!(parked.snapshot, before.snapshot);
    let error = parked.error.expect("an error");
    assert!(error.contains("missing field `purchase`"), "{error}");
    for state in ["start", "WaitingForDriver"] {
        assert_eq!(predicted(NEW, OLD, state), Effect::Parks, "{state}");
    }
    let retried = volt::block_on(database.client.retry(parked.id));
    assert!(retried.expect("a result"));
    database.run(NEW, "work", &["c", "WaitingForTruck"]);
    assert_eq!(database.row("c").status, Status::Waiting);
}
