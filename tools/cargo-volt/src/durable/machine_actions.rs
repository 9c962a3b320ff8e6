//! `cargo volt durable retry`, `resume` and `cancel`: actions on machines.

use clap::Args;
use volt_durable::store::{CANCEL, MachineId, Row, Sent, Status};

use super::any_client::AnyClient;
use super::filter_args::{FilterArgs, StatusArg};
use super::list_machines::LATE;
use crate::context::Outcome;
use crate::terminal::print;

/// The machines of an action.
#[derive(Clone, Debug, Args)]
pub(super) struct IdArgs {
    /// Ids of the machines
    #[arg(value_name = "ID", required = true)]
    ids: Vec<i64>,
}

/// The arguments of `resume`.
#[derive(Clone, Debug, Args)]
pub(super) struct ResumeArgs {
    /// Ids of the machines
    #[arg(value_name = "ID")]
    ids: Vec<i64>,
    #[command(flatten)]
    filter: FilterArgs,
    /// All parked machines
    #[arg(long)]
    all: bool,
}

/// The arguments of `cancel`.
#[derive(Clone, Debug, Args)]
pub(super) struct CancelArgs {
    #[command(flatten)]
    machines: IdArgs,
    /// End the machines at once, without running their code: their effects stay
    #[arg(long)]
    end: bool,
}

/// The longest list of machines that `resume` reads at once.
const PAGE: usize = 500;

/// The hint for a machine that could run.
const UNCLAIMED: &str = "\n  note: no worker has claimed it for a minute\n  \
    help: run a worker with its type and state, or end it at once by --end";

/// Makes machines runnable that have failed. Returns `true` if all of them had.
pub(super) fn retry_machines(client: &AnyClient, arguments: &IdArgs) -> Outcome<bool> {
    each(&arguments.ids, |id| retry(client, id, false))
}

/// Makes parked machines runnable. Returns `true` if all of them were parked.
pub(super) fn resume_machines(client: &AnyClient, arguments: &ResumeArgs) -> Outcome<bool> {
    let selects = arguments.filter.is_given() || arguments.all;
    if selects != arguments.ids.is_empty() {
        return Err(
            "name the machines either by their ids, or by --type, --state, --key, \
                    --unchanged-for or --all"
                .to_owned(),
        );
    }
    if !selects {
        return each(&arguments.ids, |id| retry(client, id, true));
    }
    let mut filter = arguments.filter.filter(Some(Status::Parked));
    filter.limit = PAGE;
    let mut resumed = 0;
    loop {
        let page = client.list(&filter)?;
        for row in page.rows {
            resumed += usize::from(client.retry(row.id)?);
        }
        filter.after = page.next;
        if page.next.is_none() {
            break;
        }
    }
    print(&format!("{resumed} machines are runnable\n"))?;
    Ok(true)
}

/// Cancels machines. Returns `true` if none had ended.
pub(super) fn cancel_machines(client: &AnyClient, arguments: &CancelArgs) -> Outcome<bool> {
    each(&arguments.machines.ids, |id| {
        if arguments.end {
            let status = client.row(id)?.status;
            return Ok(if client.end(id)? {
                Ok("is cancelled, and its code does not run".to_owned())
            } else {
                Err(format!("has ended: it is {}", StatusArg::name_of(status)))
            });
        }
        let row = client.row(id)?;
        // A request makes some machines claimable, so the search comes before it.
        let hint = if client.is_unclaimed(id, LATE)? {
            UNCLAIMED
        } else {
            ""
        };
        Ok(match client.cancel(id)? {
            Sent::Stored => Ok(format!("{}{hint}", after_request(&row))),
            Sent::Duplicate => Ok(format!("has a request for its cancellation already{hint}")),
            Sent::Ended => Err("has ended".to_owned()),
            Sent::NoMachine => Err("does not exist".to_owned()),
        })
    })
}

/// Returns the effect of a request for the cancellation of a machine.
fn after_request(row: &Row) -> &'static str {
    match row.status {
        Status::Parked => {
            "is parked: it receives the request after `retry` or `resume`; --end ends it at once"
        }
        Status::Waiting if row.signals.iter().any(|signal| signal == CANCEL) => {
            "receives the request when a worker claims it, usually at once: its code undoes its \
             effects and returns"
        }
        _ => {
            "receives the request at its next `cancellable` await, and continues if it has none; \
             --end ends it at once"
        }
    }
}

fn retry(client: &AnyClient, id: MachineId, only_parked: bool) -> Outcome<Result<String, String>> {
    let row = client.row(id)?;
    let status = StatusArg::name_of(row.status);
    let is_parked = row.status == Status::Parked;
    if only_parked && !is_parked {
        return Ok(Err(format!("is {status}, not parked")));
    }
    if client.retry(id)? {
        return Ok(Ok("is runnable".to_owned()));
    }
    Ok(Err(format!("has not failed: it is {status}")))
}

/// Calls an action for each machine, and prints its result. Returns `true` if all had an effect.
fn each(
    ids: &[i64],
    action: impl Fn(MachineId) -> Outcome<Result<String, String>>,
) -> Outcome<bool> {
    let mut succeeds = true;
    for id in ids {
        let done = action(MachineId(*id))?;
        succeeds &= done.is_ok();
        let (Ok(text) | Err(text)) = done;
        print(&format!("machine {id} {text}\n"))?;
    }
    Ok(succeeds)
}
