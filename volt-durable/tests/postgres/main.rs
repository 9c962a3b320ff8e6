//! The store in PostgreSQL keeps each guarantee of `Store`, with other processes too.
//!
//! `VOLT_DURABLE_POSTGRES` is the connection string of a database in which the tests may create
//! schemas. `integration/postgres/run` starts such a server. Without the variable the tests report
//! that they are skipped.

mod server;
mod operations;
mod families;
mod caller_starts;
mod statements;
mod notifications;
#[path = "../orders/mod.rs"]
mod orders;
#[path = "../crashing_steps/mod.rs"]
mod crashing_steps;
#[path = "../many_orders/mod.rs"]
mod many_orders;
#[path = "../encrypting/mod.rs"]
mod encrypting;
mod moved_clock;
mod read_only;
mod cuts;
mod step_crashes;
mod many;
mod transactions;

mod conformance {
    volt_durable::conformance_tests!(crate::server::InPostgres, crate::server::run);
    volt_durable::conformance_transaction_tests!(crate::server::InPostgres, crate::server::run);
}

mod encrypted_conformance {
    use crate::encrypting::Encrypting;
    use crate::server::{InPostgres, run};

    volt_durable::conformance_tests!(Encrypting(InPostgres), run);
    volt_durable::conformance_transaction_tests!(Encrypting(InPostgres), run);
}

/// The effects of the orders need no fault of the process.
pub(crate) fn before_effect() {}
