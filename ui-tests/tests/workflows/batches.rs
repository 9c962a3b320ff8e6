//! Batches, polling and imports.

#![expect(
    clippy::never_loop,
    reason = "a labelled block in the form that users write"
)]

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::driver::assert_ends;
use crate::{Failure, call, message, sleep};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Job {
    Running { percent: u32 },
    Done { url: String },
    Failed(Failure),
}

/// Returns the state of a job.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn state_of(job: String, poll: u32) -> Job {
    sleep(1).await;
    match poll {
        0 | 1 => Job::Running { percent: poll * 50 },
        _ if job.contains("refused") => Job::Failed(Failure::Final(job)),
        _ => Job::Done {
            url: format!("http://{job}"),
        },
    }
}

/// Polls until a job has ended, with a growing pause.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn export(table: String) -> Result<String, Failure> {
    let job = call("export".into(), table).await?;
    let mut delay = 1;
    let mut seen = Vec::new();
    for poll in 0..10 {
        match state_of(job.clone(), poll).await {
            Job::Running { percent } => {
                seen.push(percent);
                sleep(delay).await;
                delay = (delay * 2).min(60);
            }
            Job::Done { url } => {
                let mail = format!("{url} after {} polls {:?}", poll + 1, seen);
                return call("mail".into(), mail).await;
            }
            Job::Failed(failure) => {
                #[state(ReportFailure)]
                call("mail".into(), job).await?;
                return Err(failure);
            }
        }
    }
    Err(Failure::Final("no end".into()))
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Report {
    done: u32,
    failed: BTreeMap<String, String>,
    skipped: Vec<String>,
}

/// Imports rows in chunks.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn import(rows: Vec<String>, limit: usize) -> Report {
    let mut report = Report::default();
    let mut chunk = Vec::with_capacity(limit);
    let mut rows = rows.into_iter();
    loop {
        while chunk.len() < limit {
            match rows.next() {
                Some(row) if row.is_empty() => report.skipped.push(row),
                Some(row) => chunk.push(row),
                None => break,
            }
        }
        if chunk.is_empty() {
            break;
        }
        for row in std::mem::take(&mut chunk) {
            match call("import".into(), row.clone()).await {
                Ok(_) => {
                    report.done += 1;
                    drop(row);
                }
                Err(Failure::Final(why)) => {
                    report.failed.insert(row, why);
                }
                Err(Failure::Temporary { after }) => {
                    sleep(after).await;
                    report.skipped.push(row);
                }
            }
        }
    }
    report
}

/// Finds a free place in a grid, and leaves both loops by a label.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn find(rows: u32, columns: u32) -> Option<(u32, u32, String)> {
    let mut tried = 0;
    let found = 'search: loop {
        for row in 0..rows {
            for column in 0..columns {
                tried += 1;
                if (row + column) % 3 == 0 {
                    continue;
                }
                let request = if tried < 3 { "refused" } else { "place" }.to_string();
                let Ok(place) = call("grid".into(), request).await else {
                    continue;
                };
                break 'search Some((row, column, place));
            }
        }
        break None;
    };
    sleep(1).await;
    let (row, column, place) = found?;
    Some((row, column, format!("{place} after {tried}")))
}

/// Copies pages until there is no next one.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn copy(source: String) -> Result<usize, Failure> {
    let mut cursor = Some(String::from("1"));
    let mut pages = 0;
    let mut text = String::new();
    while let Some(page) = cursor.take() {
        let body = call(source.clone(), page).await?;
        text.push_str(&body);
        text += ";";
        pages += 1;
        if pages < 3 {
            cursor = Some(format!("{pages}"));
        }
        let stored = call("store".into(), text.clone()).await;
        if let Err(Failure::Temporary { after }) = stored {
            sleep(after).await;
        } else {
            stored?;
        }
    }
    let answer: Option<String> = message(source, 1).await;
    match answer {
        Some(answer) if !answer.is_empty() => Ok(text.len() + pages),
        _ => Ok(0),
    }
}

#[test]
fn export_is_polled_until_its_end() {
    let mail = "mail-http://export-users after 3 polls [0, 50]";
    assert_ends(
        || export("users".into()),
        Ok::<_, Failure>(mail.to_string()),
    );
    let failure = Failure::Final("export: refused".into());
    assert_ends(|| export("refused".into()), Err::<String, _>(failure));
}

#[test]
fn import_reports_each_row() {
    let rows = ["a", "", "refused", "later", "b"];
    let rows = || rows.map(String::from).to_vec();
    let failed = [("refused".to_string(), "import: refused".to_string())];
    let expected = Report {
        done: 2,
        failed: failed.into(),
        skipped: vec!["".into(), "later".into()],
    };
    assert_ends(|| import(rows(), 2), expected);
}

#[test]
fn search_leaves_both_loops() {
    assert_ends(
        || find(3, 3),
        Some((0, 2, "grid-place after 3".to_string())),
    );
    assert_ends(|| find(1, 1), None::<(u32, u32, String)>);
}

#[test]
fn pages_are_copied() {
    assert_ends(|| copy("web".into()), Ok::<_, Failure>(21));
}
