//! The output of a run.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::process;
use std::time::Duration;

use volt::JoinError;
use volt::future::TaskError;
use volt::machine::StateMachine;
use volt::runtime::Dump;
use volt::task::{Lifecycle, TaskInfo};

use crate::client::{Browse, Fetch, Page};
use crate::server::{Accept, Deliver, Drain, Load, ReadRequest, Refuse, Serve};
use crate::session::{Ended, Visited};
use crate::site::Site;

/// Prints a line.
macro_rules! say {
    ($($text:tt)*) => {
        $crate::report::line(format_args!($($text)*))
    };
}
pub(crate) use say;

/// Prints `text` as a line. The program ends if the reader of the output has ended, as with `|
/// head`.
pub(crate) fn line(text: fmt::Arguments<'_>) {
    if writeln!(io::stdout(), "{text}").is_err() {
        process::exit(0);
    }
}

pub(crate) fn site(pages: &[Page]) {
    let bytes: usize = pages.iter().map(|page| page.body.len()).sum();
    say!("{} files, {bytes} bytes:", pages.len());
    for page in pages.iter().take(12) {
        say!("  {:<32} {:>9}", page.address, page.body.len());
    }
    if pages.len() > 12 {
        say!("  and {} more", pages.len() - 12);
    }
}

/// Prints the files of the folders that are not served.
pub(crate) fn refused(site: &Site) {
    for (address, status) in site.refused() {
        say!("  {address:<32} is no file that is served: {status}");
    }
}

pub(crate) fn listening(address: SocketAddr) {
    say!("listening on {address}");
}

/// Requests and bytes a second.
pub(crate) fn traffic(visits: &[Visited], elapsed: Duration) {
    let done = || {
        visits
            .iter()
            .filter_map(|visit| visit.as_ref().ok()?.as_ref().ok())
    };
    let responses: u64 = done().map(|visit| visit.responses).sum();
    let bytes: u64 = done().map(|visit| visit.bytes).sum();
    let seconds = elapsed.as_secs_f64();
    heading("Traffic");
    say!(
        "{} clients, {responses} responses, {bytes} bytes in {elapsed:.3?}",
        visits.len()
    );
    say!(
        "{:.0} requests/s, {:.1} MB/s, every byte compared",
        responses as f64 / seconds,
        bytes as f64 / seconds / 1e6,
    );
}

/// Prints the outcomes of the clients that misbehave.
pub(crate) fn rude(rubbish: &str, hung_up: io::Result<()>) {
    heading("Rude clients");
    say!("one sent rubbish and was answered: {rubbish}");
    match hung_up {
        Ok(()) => say!("one hung up in the middle of a request"),
        Err(error) => say!("a client cannot connect: {error}"),
    }
}

/// Prints the positions of the tasks, halfway through.
pub(crate) fn positions(dump: &Dump) {
    heading("Positions of the tasks, halfway through");
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for task in dump.tasks() {
        let place = match &task.position[..] {
            [] => unseen(task),
            position => position
                .iter()
                .map(|state| {
                    format!(
                        "{} at {} ({}:{})",
                        state.machine, state.name, state.file, state.line
                    )
                })
                .collect::<Vec<_>>()
                .join("\n       in "),
        };
        *places.entry(place).or_default() += 1;
    }
    for (place, count) in &places {
        say!("{count:>5}  {place}");
    }
    say!("{:>5}  tasks in all", dump.tasks().len());
}

/// Describes a task without a position: its name, or the type of its future, and the line that
/// spawned it.
fn unseen(task: &TaskInfo) -> String {
    let name = task.name.as_deref().unwrap_or(short(task.type_name));
    let doing = match task.lifecycle {
        Lifecycle::Running => "being polled at that moment",
        Lifecycle::Scheduled => "about to be polled",
        _ => "waiting",
    };
    let (file, line) = (task.location.file(), task.location.line());
    format!("{name}, {doing}, spawned at {file}:{line}")
}

/// The name of a future without its modules: that of the innermost, if it is wrapped.
fn short(type_name: &str) -> &str {
    let inner = type_name.rsplit('<').next().unwrap_or(type_name);
    let plain = inner.split([',', '>']).next().unwrap_or(inner);
    match plain.trim_end_matches("::{{closure}}").rsplit("::").next() {
        Some(name) if !name.is_empty() => name,
        _ => plain,
    }
}

/// How the connections ended.
pub(crate) fn connections(ended: &[Ended]) {
    heading("Connections");
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for result in ended {
        let what = match result {
            Ok(Ok(_)) => "served to the end".to_owned(),
            Ok(Err(error)) => error.to_string(),
            Err(TaskError::Cancelled) => "cancelled with the group".to_owned(),
            Err(TaskError::Panicked(panic)) => format!("panicked: {panic:?}"),
        };
        *counts.entry(what).or_default() += 1;
    }
    for (what, count) in &counts {
        say!("{count:>5}  {what}");
    }
}

/// Prints the outcome of the client that never sends a request.
pub(crate) fn silent(result: io::Result<usize>) {
    match result {
        Ok(0) => say!("the silent client saw the end of its connection"),
        Ok(_) => say!("the silent client was sent something"),
        Err(error) => say!("the silent client: {error}"),
    }
}

/// The size of each machine, beside that of the compiler's future for the same function.
pub(crate) fn sizes() {
    heading("Sizes in bytes");
    say!("{:<14} {:>7} {:>10}", "", "machine", "compiler's");
    row::<Accept>();
    row::<Serve>();
    row::<ReadRequest<'_, '_>>();
    row::<Load<'_>>();
    row::<Deliver<'_, '_>>();
    row::<Refuse>();
    row::<Drain>();
    row::<Browse>();
    row::<Fetch>();
}

fn row<M: StateMachine>() {
    let native = M::NATIVE_SIZE.map_or_else(|| "?".to_owned(), |size| size.to_string());
    say!("{:<14} {:>7} {native:>10}", M::NAME, size_of::<M>());
}

/// The picture of the handler.
pub(crate) fn diagram() {
    heading("The handler, as Mermaid draws it");
    say!("{}", Serve::mermaid());
}

/// Returns an error unless every client has received every byte.
pub(crate) fn verdict(visits: &[Visited], expected: u64) -> Result<(), Box<dyn Error>> {
    let mut responses = 0;
    let mut failures: BTreeMap<String, usize> = BTreeMap::new();
    for visit in visits {
        match visit {
            Ok(Ok(visit)) => responses += visit.responses,
            Ok(Err(error)) => *failures.entry(error.to_string()).or_default() += 1,
            Err(error) => *failures.entry(lost(error)).or_default() += 1,
        }
    }
    for (failure, count) in &failures {
        eprintln!("{count:>5} clients failed: {failure}");
    }
    if responses != expected {
        return Err(format!("{responses} of {expected} responses arrived as they should").into());
    }
    say!("\nall {expected} responses arrived, every byte as in its file");
    Ok(())
}

fn lost(error: &JoinError) -> String {
    format!("its task ended: {error}")
}

fn heading(text: &str) {
    say!("\n{text}");
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn type_name_is_cut_to_the_innermost_future() {
        for (type_name, name) in [
            ("serve::server::Serve", "Serve"),
            (
                "volt_combinators::group::Child<serve::server::Serve>",
                "Serve",
            ),
            ("a::Child<b::Wrapper<c::Browse>, d::Other>", "Browse"),
            ("serve::session::load::{{closure}}", "load"),
            ("", ""),
        ] {
            assert_eq!(short(type_name), name);
        }
    }
}
