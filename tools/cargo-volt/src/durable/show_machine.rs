//! `cargo volt durable show`: one machine, with the values of its state.

use clap::Args;
use volt_durable::store::{MachineId, Row, Timestamp};

use super::age::age;
use super::any_client::AnyClient;
use super::filter_args::StatusArg;
use super::list_machines::{output, style_of};
use crate::context::Outcome;
use crate::json_args::JsonArgs;
use crate::terminal::{BAD, EMPHASIS, styled};

/// The arguments of `show`.
#[derive(Clone, Debug, Args)]
pub(super) struct ShowArgs {
    /// Id of the machine
    #[arg(value_name = "ID")]
    id: i64,
    #[command(flatten)]
    json: JsonArgs,
}

/// Prints a machine.
pub(super) fn show_machine(client: &AnyClient, arguments: &ShowArgs) -> Outcome<()> {
    let row = client.row(MachineId(arguments.id))?;
    let now = client.now()?;
    let text = text(&row, now)?;
    output(&arguments.json, &row, text)
}

fn text(row: &Row, now: Timestamp) -> Outcome<String> {
    let head = format!("{} {} `{}`", row.id, row.machine_type, row.key);
    let status = styled(style_of(row.status), StatusArg::name_of(row.status));
    let ago = |time| format!("{} ago", age(now.since(time)));
    let mut lines = vec![
        styled(EMPHASIS, &head),
        format!("status    {status} in state {}", row.state),
        format!("started   {}", ago(row.created)),
        format!("changed   {}", ago(row.changed)),
        format!("attempts  {}", row.attempts),
    ];
    let until = |time: Timestamp| match time.since(now) {
        left if left.is_zero() => "now".to_owned(),
        left => format!("in {}", age(left)),
    };
    if let Some(wake) = row.wake {
        lines.push(format!("timer     {}", until(wake)));
    }
    if let Some(lease) = row.lease {
        lines.push(format!("lease     ends {}", until(lease)));
    }
    if !row.signals.is_empty() {
        lines.push(format!("signals   {}", row.signals.join(", ")));
    }
    if let Some(error) = &row.error {
        let error = error.replace('\n', "\n          ");
        lines.push(format!("error     {}", styled(BAD, &error)));
    }
    let outcome = row.shown_outcome();
    let values = [("values", Some(row.values())), ("outcome", outcome)];
    for (name, value) in values {
        let Some(value) = value else { continue };
        let value = serde_json::to_string_pretty(&value).map_err(|error| error.to_string())?;
        lines.push(format!("{name}\n{value}"));
    }
    Ok(lines.join("\n") + "\n")
}
