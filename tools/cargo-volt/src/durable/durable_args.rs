//! `DurableArgs`: the actions of `cargo volt durable`.

use clap::{Args, Subcommand};

use super::check_schemas::{CheckArgs, check_schemas};
use super::list_machines::{ListArgs, list_machines};
use super::machine_actions::{
    CancelArgs, IdArgs, ResumeArgs, cancel_machines, resume_machines, retry_machines,
};
use super::show_machine::{ShowArgs, show_machine};
use super::store_address::{StoreAddress, store_address};
use crate::context::Outcome;

/// The arguments of `durable`.
#[derive(Clone, Debug, Args)]
pub(crate) struct DurableArgs {
    #[command(subcommand)]
    action: Action,
}

/// A store, and the arguments of an action.
#[derive(Clone, Debug, Args)]
struct OnStore<A: Args> {
    /// Path of a SQLite file, or address of a PostgreSQL database, without TLS
    #[arg(value_name = "STORE", value_parser = store_address)]
    store: StoreAddress,
    #[command(flatten)]
    arguments: A,
}

/// An action on a store.
#[derive(Clone, Debug, Subcommand)]
enum Action {
    /// List machines with their age, attempts and last error
    List(OnStore<ListArgs>),
    /// Show one machine, with the values of its state
    Show(OnStore<ShowArgs>),
    /// Make machines runnable that are parked, or wait for their next attempt
    Retry(OnStore<IdArgs>),
    /// Make parked machines runnable
    Resume(OnStore<ResumeArgs>),
    /// Request the cancellation of machines
    Cancel(OnStore<CancelArgs>),
    /// Compare the schema files of two builds, by the effects on stored machines
    Check(CheckArgs),
}

/// Runs an action. Returns `true` if all machines that it names have changed.
pub(crate) fn durable(arguments: &DurableArgs) -> Outcome<bool> {
    match &arguments.action {
        Action::List(list) => list_machines(&list.store.open()?, &list.arguments).map(|()| true),
        Action::Show(show) => show_machine(&show.store.open()?, &show.arguments).map(|()| true),
        Action::Retry(retry) => retry_machines(&retry.store.open()?, &retry.arguments),
        Action::Resume(resume) => resume_machines(&resume.store.open()?, &resume.arguments),
        Action::Check(check) => check_schemas(check),
        Action::Cancel(cancel) => cancel_machines(&cancel.store.open()?, &cancel.arguments),
    }
}
