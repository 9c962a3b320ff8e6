//! `cargo volt durable check`: the effects of changed code on stored machines.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use volt_durable::{Change, Effect, Schema};

use super::list_machines::output;
use crate::context::{Context, Outcome};
use crate::json_args::JsonArgs;

/// The arguments of `check`.
#[derive(Clone, Debug, Args)]
pub(super) struct CheckArgs {
    /// Schema file of the build that has stored the machines
    old: PathBuf,
    /// Schema file of the build that loads them
    new: PathBuf,
    /// Check too that workers of the old build load the machines of the new one
    #[arg(long)]
    rolling: bool,
    #[command(flatten)]
    json: JsonArgs,
}

/// The changes between two builds.
#[derive(Debug, Serialize)]
struct SchemaReport {
    /// The effects on machines of the old build.
    changes: Vec<Change>,
    /// The effects on machines of the new build in workers of the old one.
    #[serde(skip_serializing_if = "Option::is_none")]
    rolling: Option<Vec<Change>>,
}

/// Compares two schema files. Returns `true` if all stored machines load.
pub(super) fn check_schemas(arguments: &CheckArgs) -> Outcome<bool> {
    let (old, new) = (read(&arguments.old)?, read(&arguments.new)?);
    let report = SchemaReport {
        changes: new.changes_since(&old),
        rolling: arguments.rolling.then(|| old.changes_since(&new)),
    };
    output(&arguments.json, &report, text(&report))?;
    let rolling = report.rolling.iter().flatten();
    // A state of the new build waits for a worker that knows it, and such workers run.
    let rolls = rolling
        .clone()
        .all(|change| matches!(change.effect, Effect::Loads | Effect::Waits));
    let loads = |change: &Change| change.effect == Effect::Loads;
    Ok(rolls && report.changes.iter().all(loads))
}

fn read(path: &Path) -> Outcome<Schema> {
    let text = fs::read_to_string(path).context(|| format!("reading {}", path.display()))?;
    Schema::from_json(&text).context(|| format!("reading {} as a schema", path.display()))
}

fn text(report: &SchemaReport) -> String {
    let mut text = String::new();
    if report.changes.is_empty() {
        text.push_str("no change of stored machines\n");
    }
    add_lines(&mut text, &report.changes);
    if let Some(rolling) = &report.rolling {
        text.push_str("\nmachines of the new build in workers of the old one:\n");
        add_lines(&mut text, rolling);
    }
    text
}

fn add_lines(text: &mut String, changes: &[Change]) {
    for change in changes {
        let _ = writeln!(text, "{change}");
    }
}
