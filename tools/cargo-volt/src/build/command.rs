//! A program run to its end, or to the end of its time.

use std::io::{ErrorKind, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::context::{Context, Outcome};

/// The interval at which a running program is checked.
const PAUSE: Duration = Duration::from_millis(20);

/// The output and the status of a program.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Nothing if the program ran out of time and was killed.
    pub(crate) status: Option<ExitStatus>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) took: Duration,
}

impl Ended {
    /// Returns `true` if the program ended by itself, with success.
    pub(crate) fn success(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }

    /// Returns the last lines of the standard error, without the progress bars of cargo.
    pub(crate) fn tail(&self) -> String {
        const MOST: usize = 15;
        let lines = self.stderr.split(['\n', '\r']);
        let is_text = |line: &&str| !line.trim().is_empty() && units_of(line).is_none();
        let lines: Vec<_> = lines.filter(is_text).collect();
        let from = lines.len().saturating_sub(MOST);
        lines[from..].join("\n")
    }
}

/// Runs the program, which gets no input, for at most `limit`.
pub(crate) fn run(command: &mut Command, limit: Duration) -> Outcome<Ended> {
    run_watched(command, limit, |_| {}, |_| {})
}

/// Runs the program as [`run`] does, and calls a function for each line of the standard output, and
/// one for each line of the standard error. A carriage return ends a line, too.
pub(crate) fn run_watched(
    command: &mut Command,
    limit: Duration,
    on_stdout: impl FnMut(&str) + Send + 'static,
    on_stderr: impl FnMut(&str) + Send + 'static,
) -> Outcome<Ended> {
    let name = command.get_program().to_string_lossy().into_owned();
    own_group(command)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let begun = Instant::now();
    let mut child = command.spawn().context(|| format!("starting {name}"))?;
    let stdout = reading(child.stdout.take(), on_stdout);
    let stderr = reading(child.stderr.take(), on_stderr);
    let status = wait(&mut child, begun, limit).context(|| format!("waiting for {name}"))?;
    Ok(Ended {
        status,
        stdout: stdout.join().unwrap_or_default(),
        stderr: stderr.join().unwrap_or_default(),
        took: begun.elapsed(),
    })
}

/// Returns the finished and all units of a progress bar of cargo: `Building [=> ] 3/10: volt`.
pub(crate) fn units_of(line: &str) -> Option<(u64, u64)> {
    let bar = line.trim_start().strip_prefix("Building [")?;
    let (_, units) = bar.split_once("] ")?;
    let (done, rest) = units.split_once('/')?;
    let all = rest.split([':', ' ', '\u{1b}']).next()?;
    Some((done.trim().parse().ok()?, all.parse().ok()?))
}

/// Runs the program and returns its output, or its error.
pub(crate) fn text_of(command: &mut Command, limit: Duration) -> Outcome<String> {
    let ended = run(command, limit)?;
    if ended.success() {
        return Ok(ended.stdout);
    }
    let name = command.get_program().to_string_lossy();
    let first: Vec<_> = command
        .get_args()
        .take(2)
        .map(|arg| arg.to_string_lossy())
        .collect();
    Err(format!(
        "{name} {} failed:\n{}",
        first.join(" "),
        ended.tail()
    ))
}

fn wait(child: &mut Child, begun: Instant, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if begun.elapsed() >= limit {
            kill(child);
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(PAUSE);
    }
}

fn reading(
    stream: Option<impl Read + Send + 'static>,
    mut on_line: impl FnMut(&str) + Send + 'static,
) -> JoinHandle<String> {
    thread::spawn(move || {
        let (mut bytes, mut start) = (Vec::new(), 0);
        let mut chunk = [0; 16 * 1024];
        let mut stream = stream;
        while let Some(stream) = &mut stream {
            match stream.read(&mut chunk) {
                Ok(read) if read > 0 => bytes.extend_from_slice(&chunk[..read]),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                // The bytes before an error are the whole output.
                Ok(_) | Err(_) => break,
            }
            let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
            while let Some(length) = bytes[start..].iter().position(is_end) {
                on_line(&String::from_utf8_lossy(&bytes[start..start + length]));
                start += length + 1;
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Makes the program the head of a process group, so that what it starts can be ended with it.
#[cfg(unix)]
fn own_group(command: &mut Command) -> &mut Command {
    use std::os::unix::process::CommandExt;
    command.process_group(0)
}

#[cfg(not(unix))]
fn own_group(command: &mut Command) -> &mut Command {
    command
}

/// Ends the program and, on Unix, the programs that it has started.
fn kill(child: &mut Child) {
    if cfg!(unix) {
        let group = format!("-{}", child.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
    }
    let _ = child.kill();
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::Duration;

    use super::{run, run_watched, text_of, units_of};

    const LONG: Duration = Duration::from_secs(60);

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn both_outputs_are_read() {
        let ended = run(&mut shell("echo out; echo err >&2"), LONG).expect("it starts");
        assert!(ended.success());
        assert_eq!(
            (ended.stdout.as_str(), ended.stderr.as_str()),
            ("out\n", "err\n")
        );
    }

    #[test]
    fn program_out_of_time_is_killed_with_its_children() {
        let limit = Duration::from_millis(100);
        let ended =
            run(&mut shell("echo before; sleep 600 & sleep 600"), limit).expect("it starts");
        assert!(ended.status.is_none());
        assert_eq!(ended.stdout, "before\n");
    }

    #[test]
    fn lines_are_reported_while_the_program_runs() {
        let (send, lines) = std::sync::mpsc::channel();
        let script = "printf 'a\\nb\\r' >&2; printf 'c' >&2";
        let on_stderr = move |line: &str| send.send(line.to_owned()).expect("the test receives");
        run_watched(&mut shell(script), LONG, |_| {}, on_stderr).expect("it starts");
        assert_eq!(lines.iter().collect::<Vec<_>>(), ["a", "b"]);
    }

    #[test]
    fn bar_of_cargo_is_read() {
        let bar = "    Building [=====>      ] 12/345: syn, volt(build)";
        assert_eq!(units_of(bar), Some((12, 345)));
        assert_eq!(units_of("   Compiling volt v0.1.0 [a] 1/2"), None);
    }

    #[test]
    fn failure_shows_the_end_of_the_errors() {
        let error = text_of(&mut shell("echo why >&2; exit 3"), LONG).expect_err("it fails");
        assert!(error.ends_with("failed:\nwhy"), "{error}");
    }
}
