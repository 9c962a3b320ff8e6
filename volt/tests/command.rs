//! `Command` behaves as `std::process::Command`.
#![cfg(all(feature = "process", unix, not(miri)))]

use std::future::Future;
use std::time::Duration;

use volt::process::{Command, Stdio};
use volt::time::timeout;

fn run<F: Future>(future: F) -> F::Output {
    volt::Runtime::new().expect("a runtime").block_on(future)
}

fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    command
}

const LONG: Duration = Duration::from_secs(20);

/// A file that is removed when this is dropped.
struct Temporary(std::path::PathBuf);

impl Temporary {
    fn new(name: &str) -> Self {
        let name = format!("volt-programs-{}-{name}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    fn create(&self) -> std::fs::File {
        std::fs::File::create(&self.0).expect("a file")
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.0).expect("text")
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // It may not have been created.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Sets streams of a command in both ways: before the conversion, and through `as_std_mut`.
fn set_in_each_way(script: &str, set: impl Fn(&mut std::process::Command)) -> [Command; 2] {
    let mut made_elsewhere = std::process::Command::new("sh");
    made_elsewhere.args(["-c", script]);
    set(&mut made_elsewhere);
    let mut changed = shell(script);
    set(changed.as_std_mut());
    [made_elsewhere.into(), changed]
}

#[test]
fn output_keeps_streams_set_before() {
    const SCRIPT: &str = "cat; echo out; echo err >&2";
    let to = Temporary::new("kept");
    let mut own = shell(SCRIPT);
    own.stdout(to.create()).stderr(Stdio::null());
    let set = |command: &mut std::process::Command| {
        command.stdout(to.create()).stderr(Stdio::null());
    };
    let [elsewhere, changed] = set_in_each_way(SCRIPT, set);
    run(async {
        for mut command in [own, elsewhere, changed] {
            // `output` returns the same result twice, and `status` runs the command too.
            for _ in 0..2 {
                std::fs::write(&to.0, "").expect("emptied");
                let output = command.output().await.expect("an output");
                assert_eq!((output.stdout, output.stderr), (vec![], vec![]));
                assert!(to.text().ends_with("out\n"), "{}", to.text());
            }
            command.stdin(Stdio::null());
            assert!(command.status().await.expect("a status").success());
        }
    });
}

#[test]
fn output_leaves_the_command_as_it_was() {
    let script = "cat; echo out; echo err >&2";
    let mut commands = vec![shell(script)];
    commands.extend(set_in_each_way(script, |_| ()));
    run(async {
        for mut command in commands {
            for _ in 0..2 {
                let output = command.output().await.expect("an output");
                assert_eq!(
                    (&output.stdout[..], &output.stderr[..]),
                    (&b"out\n"[..], &b"err\n"[..])
                );
            }
            // No pipe of a previous call is left in the command.
            command.stdin(Stdio::null());
            let child = command.spawn().expect("a child");
            assert!(child.stdin.is_none() && child.stdout.is_none() && child.stderr.is_none());
            assert!(command.status().await.expect("a status").success());
        }
    });
}

#[test]
fn output_passes_set_input() {
    let from = Temporary::new("input");
    std::fs::write(&from.0, "input").expect("written");
    let open = || std::fs::File::open(&from.0).expect("a file");
    let mut own = shell("cat");
    own.stdin(open());
    let [elsewhere, changed] = set_in_each_way("cat", |command| {
        command.stdin(open());
    });
    run(async {
        for mut command in [own, elsewhere, changed] {
            let output = command.output().await.expect("an output");
            assert_eq!(output.stdout, b"input");
        }
    });
}

/// In the standard library, a full pipe blocks the child forever.
#[test]
fn status_drains_set_pipes() {
    run(async {
        for script in ["echo out", "head -c 1000000 /dev/zero"] {
            let mut command = shell(script);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            let status = timeout(LONG, command.status()).await.expect("in time");
            assert_eq!(status.expect("a status").code(), Some(0));
        }
    });
}
