//! `cargo volt durable list`: the machines of a store.

use std::time::Duration;

use anstyle::Style;
use clap::Args;
use volt_durable::Page;
use volt_durable::store::{MachineId, Row, Status, Summary, SummaryGroup, Timestamp};

use super::age::age;
use super::any_client::AnyClient;
use super::filter_args::{FilterArgs, StatusArg};
use crate::context::Outcome;
use crate::json_args::JsonArgs;
use crate::terminal::{Align, BAD, FAINT, NOTICE, TextTable, print};

/// The arguments of `list`.
#[derive(Clone, Debug, Args)]
pub(super) struct ListArgs {
    #[command(flatten)]
    filter: FilterArgs,
    /// Only machines with this status
    #[arg(long, value_enum)]
    status: Option<StatusArg>,
    /// The number of machines of each type, status and state
    #[arg(long, conflicts_with_all = ["after", "limit"])]
    groups: bool,
    /// Only machines with larger ids, for the next page
    #[arg(long, value_name = "ID")]
    after: Option<i64>,
    /// The largest number of machines
    #[arg(long, value_name = "N", default_value = "50")]
    limit: usize,
    #[command(flatten)]
    json: JsonArgs,
}

/// The time after which a machine without a worker is shown as a problem.
pub(super) const LATE: Duration = Duration::from_secs(60);

/// Prints machines, or their groups.
pub(super) fn list_machines(client: &AnyClient, arguments: &ListArgs) -> Outcome<()> {
    let mut filter = arguments
        .filter
        .filter(arguments.status.map(StatusArg::status));
    filter.after = arguments.after.map(MachineId);
    filter.limit = arguments.limit;
    if arguments.groups {
        let summary = client.summary(&filter)?;
        return output(&arguments.json, &summary, group_table(&summary));
    }
    let page = client.list(&filter)?;
    let late = unclaimed_text(&client.summary(&filter)?);
    output(&arguments.json, &page, machine_table(&page) + &late)
}

/// Prints JSON or a text.
pub(super) fn output(json: &JsonArgs, value: &impl serde::Serialize, text: String) -> Outcome<()> {
    let data = serde_json::to_string_pretty(value).map_err(|error| error.to_string())?;
    json.write_file(&data)?;
    if json.is_printed() {
        return print(&format!("{data}\n"));
    }
    print(&text)
}

fn machine_table(page: &Page) -> String {
    let columns = ["id", "age", "unchanged", "attempts"].map(|name| (name, Align::Right));
    let texts = ["status", "type", "key", "state", "error"].map(|name| (name, Align::Left));
    let columns: Vec<_> = columns.into_iter().chain(texts).collect();
    let mut table = TextTable::new(&columns);
    for row in &page.rows {
        table.push(cells(row, page.now));
    }
    let next = match (page.rows.is_empty(), page.next) {
        (true, _) => return "no machines\n".to_owned(),
        (false, Some(next)) => format!("\nnext page: --after {next}\n"),
        (false, None) => String::new(),
    };
    table.page() + &next
}

/// Returns a line for each group with machines that no worker has claimed for a minute.
fn unclaimed_text(summary: &Summary) -> String {
    let mut text = String::new();
    for group in &summary.groups {
        let since = group.unclaimed_since.map(|since| summary.now.since(since));
        if let Some(time) = since.filter(|time| *time > LATE) {
            let plural = if group.unclaimed == 1 { "" } else { "s" };
            text += &format!(
                "\nunclaimed for {}: {} {} machine{plural} of type {} in state {}; does a worker \
                 with this type and state run?\n",
                age(time),
                group.unclaimed,
                StatusArg::name_of(group.status),
                group.machine_type,
                group.state,
            );
        }
    }
    text
}

fn cells(row: &Row, now: Timestamp) -> Vec<(Style, String)> {
    let plain = |text: String| (Style::new(), text);
    let error = row.error.as_deref().unwrap_or_default();
    let line = error.lines().next().unwrap_or_default();
    vec![
        plain(row.id.to_string()),
        plain(age(now.since(row.created))),
        plain(age(now.since(row.changed))),
        plain(row.attempts.to_string()),
        (style_of(row.status), StatusArg::name_of(row.status).into()),
        plain(row.machine_type.clone()),
        plain(row.key.clone()),
        plain(row.state.clone()),
        plain(line.to_owned()),
    ]
}

/// Returns the style of a status.
pub(super) fn style_of(status: Status) -> Style {
    match status {
        Status::Parked => BAD,
        Status::Cancelled => NOTICE,
        Status::Done => FAINT,
        Status::Runnable | Status::Waiting => Style::new(),
    }
}

fn group_table(summary: &Summary) -> String {
    let columns = ["machines", "failed", "unchanged", "unclaimed", "since"];
    let columns = columns.map(|name| (name, Align::Right));
    let texts = ["status", "type", "state"].map(|name| (name, Align::Left));
    let columns: Vec<_> = columns.into_iter().chain(texts).collect();
    let mut table = TextTable::new(&columns);
    for group in &summary.groups {
        table.push(group_cells(group, summary.now));
    }
    if table.is_empty() {
        return "no machines\n".to_owned();
    }
    table.page()
}

fn group_cells(group: &SummaryGroup, now: Timestamp) -> Vec<(Style, String)> {
    let plain = |text: String| (Style::new(), text);
    let failed = if group.failed > 0 { BAD } else { FAINT };
    let since = group.unclaimed_since;
    let is_late = since.is_some_and(|since| now.since(since) > LATE);
    let unclaimed = if is_late { BAD } else { FAINT };
    vec![
        plain(group.machines.to_string()),
        (failed, group.failed.to_string()),
        plain(age(now.since(group.oldest))),
        (unclaimed, group.unclaimed.to_string()),
        plain(since.map(|since| age(now.since(since))).unwrap_or_default()),
        (
            style_of(group.status),
            StatusArg::name_of(group.status).into(),
        ),
        plain(group.machine_type.clone()),
        plain(group.state.clone()),
    ]
}
