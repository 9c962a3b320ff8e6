//! The run of a program, and its output.

use std::collections::HashMap;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The result of one function.
#[derive(Clone, Debug)]
pub(crate) enum Report {
    Equal(Figures),
    Differs(String),
}

/// The number of comparisons, and the sizes of both versions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Figures {
    pub(crate) runs: usize,
    pub(crate) events: usize,
    pub(crate) native: usize,
    pub(crate) machine: usize,
}

/// A program that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs a program; gives a report for each function that it came to.
///
/// # Errors
///
/// When the program cannot be started.
pub(crate) fn run(binary: &Path) -> io::Result<HashMap<String, Report>> {
    let mut child = Command::new(binary)
        .env("LD_LIBRARY_PATH", library_path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut stdout = child.stdout.take().expect("piped");
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        stdout.read_to_end(&mut text).map(|_| text)
    });
    let began = Instant::now();
    let ended = loop {
        if let Some(status) = child.try_wait()? {
            break format!("ended with {status}");
        }
        if began.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            break "did not end".to_owned();
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let text = reader
        .join()
        .map_err(|_| io::Error::other("the reader panicked"))??;
    Ok(read(&String::from_utf8_lossy(&text), &ended))
}

/// Where the standard library is linked from.
fn library_path() -> std::ffi::OsString {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(["--print", "target-libdir"])
        .output();
    let path = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    path.unwrap_or_default().into()
}

fn read(text: &str, ended: &str) -> HashMap<String, Report> {
    let mut reports = HashMap::new();
    let mut running: Option<String> = None;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let mut words = line.split(' ');
        match (words.next(), words.next()) {
            (Some("at"), Some(name)) => running = Some(name.to_owned()),
            (Some("ok"), Some(name)) => {
                let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
                let figures = Figures {
                    runs: number(),
                    events: number(),
                    native: number(),
                    machine: number(),
                };
                reports.insert(name.to_owned(), Report::Equal(figures));
                running = None;
            }
            (Some("differs"), Some(name)) => {
                let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "end").collect();
                reports.insert(name.to_owned(), Report::Differs(text.join("\n")));
                running = None;
            }
            _ => {}
        }
    }
    if let Some(name) = running {
        let text = format!("the program {ended} while this function ran");
        reports.insert(name, Report::Differs(text));
    }
    reports
}
