//! The rows, and the server.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use postgres::{Client, Config, NoTls, config::Host};

/// A number of workflows at once, and the number of their steps.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub(crate) workflows: u64,
    pub(crate) steps: u64,
}

pub(crate) const ROWS: [Row; 3] = [
    Row {
        workflows: 1,
        steps: 500,
    },
    Row {
        workflows: 64,
        steps: 50,
    },
    Row {
        workflows: 1_000,
        steps: 10,
    },
];

impl Row {
    pub(crate) fn steps_in_all(self) -> u64 {
        self.workflows * self.steps
    }

    /// The output of each workflow: the sum of the numbers of its steps.
    pub(crate) fn output(self) -> u64 {
        (0..self.steps).sum()
    }
}

/// The number of additions that have run.
pub(crate) static ADDITIONS: AtomicU64 = AtomicU64::new(0);

/// The step of all workflows.
pub(crate) async fn add(sum: u64, number: u64) -> u64 {
    ADDITIONS.fetch_add(1, Relaxed);
    sum + number
}

/// The PostgreSQL server of `VOLT_DURABLE_POSTGRES`.
pub(crate) struct Server(Config);

impl Server {
    pub(crate) fn from_variable() -> Self {
        let address = std::env::var("VOLT_DURABLE_POSTGRES");
        let address = address.expect("run this by integration/postgres/run");
        Self(address.parse().expect("a connection string"))
    }

    /// Creates a database, and returns its name.
    pub(crate) fn new_database(&self) -> String {
        static LAST: AtomicU32 = AtomicU32::new(0);
        let name = format!("steps_{}", LAST.fetch_add(1, Relaxed));
        let mut client = self.0.connect(NoTls).expect("a connection");
        let create = format!("create database {name}");
        client.batch_execute(&create).expect("a database");
        name
    }

    /// Connects to a database.
    pub(crate) fn connect(&self, database: &str) -> Client {
        let mut config = self.0.clone();
        config.dbname(database);
        config.connect(NoTls).expect("a connection")
    }

    /// Deletes a database.
    pub(crate) fn drop_database(&self, database: &str) {
        let drop = format!("drop database {database} with (force)");
        let dropped = self.connect("postgres").batch_execute(&drop);
        dropped.expect("no database");
    }

    /// Returns the address of a database as a URL.
    pub(crate) fn url(&self, database: &str) -> String {
        let [Host::Unix(folder)] = self.0.get_hosts() else {
            panic!("the server listens on one Unix socket");
        };
        let user = self.0.get_user().expect("a user");
        let folder = folder
            .to_str()
            .expect("a path in UTF-8")
            .replace('/', "%2F");
        format!("postgres://{user}@localhost/{database}?host={folder}")
    }
}
