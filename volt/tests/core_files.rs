//! The gdb script, on a core file of this process.
#![cfg(all(target_os = "linux", target_arch = "x86_64", not(miri)))]

use std::future::pending;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;
use std::time::Duration;

use volt::task::yield_now;
use volt::{Builder, Runtime};

#[volt::state_machine]
async fn waits_explicit(rounds: u8) -> u8 {
    for _ in 0..rounds {
        yield_now().await;
    }
    pending::<()>().await;
    rounds
}

#[volt::state_machine(native)]
async fn waits_native(rounds: u8) -> u8 {
    for _ in 0..rounds {
        yield_now().await;
    }
    pending::<()>().await;
    rounds
}

/// Runs a program, or reports that it is absent.
fn run(command: &mut Command) -> Option<Output> {
    match command.output() {
        Ok(output) => Some(output),
        Err(error) => {
            eprintln!("SKIPPED: {command:?}: {error}; install gdb");
            None
        }
    }
}

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/gdb/volt.py")
}

/// Runs the script on a core file of this process. Returns `None` without gdb.
fn tasks_of_core(folder: &Path, program: &Path) -> Option<String> {
    let prefix = folder.join("core");
    let pid = std::process::id().to_string();
    let gcore = run(Command::new("gcore").arg("-o").arg(&prefix).arg(&pid))?;
    let core = folder.join(format!("core.{pid}"));
    if !core.exists() {
        // A sandbox may forbid one process to trace another.
        eprintln!("SKIPPED: gcore wrote no file: {gcore:?}");
        return None;
    }
    let mut gdb = Command::new("gdb");
    gdb.args(["-nx", "-batch", "-x"]).arg(script());
    gdb.args(["-ex", "volt tasks"]).arg(program).arg(&core);
    let output = run(&mut gdb)?;
    std::fs::remove_file(core).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    Some(String::from_utf8(output.stdout).unwrap() + &errors)
}

/// Waits until all workers sleep, so all tasks are idle.
fn settle(runtime: &Runtime) {
    while runtime.stats().sleeping < runtime.stats().workers.len() {
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn core_file_shows_tasks_and_their_awaits() {
    let runtime = Builder::new().worker_threads(1).build().unwrap();
    let handle = runtime.handle();
    let named = handle.spawn_named("explicit one", waits_explicit(2));
    let native = runtime.spawn(waits_native(1));
    let boxed = runtime.spawn(Box::pin(waits_native(3)));
    let plain = runtime.spawn(pending::<()>());
    let ids = [named.id(), native.id(), boxed.id(), plain.id()];
    settle(&runtime);

    let folder = std::env::temp_dir().join(format!("volt-core-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let program = std::env::current_exe().unwrap();
    let stripped = folder.join("stripped");
    let is_stripped = run(Command::new("strip").arg("-o").arg(&stripped).arg(&program));
    let texts = [
        tasks_of_core(&folder, &program),
        is_stripped.and_then(|_| tasks_of_core(&folder, &stripped)),
    ];
    std::fs::remove_dir_all(folder).unwrap();
    for text in texts.into_iter().flatten() {
        let line = |id| {
            let start = format!("task {id}");
            let mut lines = text
                .lines()
                .skip_while(move |line| !line.starts_with(&start));
            let both = [lines.next(), lines.next()].map(Option::unwrap_or_default);
            both.join("\n")
        };
        let [named, native, boxed, plain] = ids.map(line);
        assert!(
            named.contains(" \"explicit one\": idle, polled 3 times"),
            "{text}"
        );
        assert!(
            named.contains(", spawned at volt/tests/core_files.rs:"),
            "{text}"
        );
        let pending = "at await pending, volt/tests/core_files.rs:";
        assert!(
            named.contains(&format!("WaitsExplicit {pending}")),
            "{text}"
        );
        assert!(native.contains(&format!("WaitsNative {pending}")), "{text}");
        assert!(boxed.contains(&format!("WaitsNative {pending}")), "{text}");
        assert!(boxed.contains(": idle, polled 4 times"), "{text}");
        assert!(plain.contains("with no waker left, spawned at "), "{text}");
        assert!(text.contains("\n4 tasks"), "{text}");
    }
}
