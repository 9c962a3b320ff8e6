//! `cargo volt sizes`: the machines of a crate, largest first.

use std::fs;
use std::path::PathBuf;

use clap::Args;

use super::check_session::{CheckSession, Targets, failure};
use super::{size_html, size_json, size_text};
use crate::build::cargo_args::CargoArgs;
use crate::context::{Context, Outcome};
use crate::json_args::JsonArgs;
use crate::layouts::{self, Report};
use crate::macro_reports::sizes::{MachineSizes, VARIABLE};
use crate::paths::shown;
use crate::terminal::print;

/// The arguments of `sizes`.
#[derive(Clone, Debug, Args)]
pub(crate) struct SizesArgs {
    /// Folder with a Cargo.toml
    #[arg(default_value = ".")]
    path: PathBuf,
    /// Also measure the machines of tests, examples and benchmarks
    #[arg(long)]
    all_targets: bool,
    /// Print one line for each machine, without its states
    #[arg(long, help_heading = "Output")]
    summary: bool,
    /// Only the machines whose name contains this text
    #[arg(long, value_name = "TEXT", help_heading = "Output")]
    only: Option<String>,
    /// Write an HTML page with the layout of each machine
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    html: Option<PathBuf>,
    #[command(flatten)]
    json: JsonArgs,
    #[command(flatten)]
    cargo: CargoArgs,
}

/// The sizes of the machines of a crate.
#[derive(Clone, Debug, Default)]
pub(super) struct CrateSizes {
    /// The machines, largest first.
    pub(super) machines: Vec<MachineSizes>,
    /// The file, the line and the name of each function whose machine has no size of its own.
    pub(super) unmeasured: Vec<(String, usize, String)>,
}

/// Measures the machines, and prints their sizes.
pub(crate) fn sizes(arguments: &SizesArgs) -> Outcome<()> {
    let targets = if arguments.all_targets {
        Targets::All
    } else {
        Targets::Own
    };
    let session = CheckSession::open(&arguments.path, &arguments.cargo, targets)?;
    let measured = measure(&session);
    session.finish();
    let mut sizes = measured?;
    if let Some(text) = &arguments.only {
        sizes
            .machines
            .retain(|machine| machine.name.contains(text.as_str()));
        sizes.unmeasured.clear();
    }
    if sizes.machines.is_empty() && sizes.unmeasured.is_empty() {
        return Err(
            "no machine was found: the attribute is on no function that is built".to_owned(),
        );
    }
    let value = size_json::value(&sizes);
    if arguments.json.is_printed() {
        print(&format!("{value:#}\n"))?;
    } else if arguments.summary {
        print(&size_text::summary(&sizes))?;
    } else {
        print(&size_text::page(&sizes))?;
    }
    arguments.json.write_file(&format!("{value:#}\n"))?;
    if let Some(file) = &arguments.html {
        let title = session.root.file_name().unwrap_or_default();
        fs::write(file, size_html::page(&title.to_string_lossy(), &sizes))
            .context(|| format!("writing {}", file.display()))?;
    }
    Ok(())
}

/// Checks the crate until it builds. Each failed check reports the machines of the crates that were
/// reached, and the next one leaves these machines out.
fn measure(session: &CheckSession) -> Outcome<CrateSizes> {
    let reported = session.report_file("sizes.tsv")?;
    let layouts = session.report_file("layouts.tsv")?;
    let variables = [
        (VARIABLE, reported.as_os_str()),
        (layouts::VARIABLE, layouts.as_os_str()),
    ];
    let mut machines: Vec<MachineSizes> = Vec::new();
    loop {
        let built = session.check(&variables)?;
        let before = machines.len();
        for machine in built
            .errors
            .iter()
            .filter_map(|error| MachineSizes::read(&error.message))
        {
            if !machines
                .iter()
                .any(|known| known.place() == machine.place())
            {
                machines.push(machine);
            }
        }
        if built.success {
            break;
        }
        if machines.len() == before {
            return Err(failure(&built));
        }
        let places = machines.iter().map(|machine| machine.place() + "\n");
        let text: String = places.collect();
        fs::write(&reported, text).context(|| format!("writing {}", reported.display()))?;
    }
    let text = fs::read_to_string(&layouts).context(|| format!("reading {}", layouts.display()))?;
    let functions = Report::read(&text, &session.root).functions();
    let is_measured = |file: &PathBuf, line: usize, name: &str| {
        let mut machines = machines.iter();
        machines.any(|machine| {
            session.root.join(&machine.file) == *file
                && machine.line == line
                && machine.function == name
        })
    };
    let unmeasured = functions.into_iter();
    let unmeasured = unmeasured.filter(|(file, line, name)| !is_measured(file, *line, name));
    let unmeasured = unmeasured.map(|(file, line, name)| (shown(&file, &session.root), line, name));
    let unmeasured = unmeasured.collect();
    machines.sort_by(|a, b| b.size.cmp(&a.size).then_with(|| a.place().cmp(&b.place())));
    Ok(CrateSizes {
        machines,
        unmeasured,
    })
}
