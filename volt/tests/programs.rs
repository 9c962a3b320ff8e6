//! Child processes: their input and output, their end, and the absence of zombies.
#![cfg(all(feature = "process", unix, not(miri)))]

use std::future::Future;
use std::io::ErrorKind;
use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

use volt::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use volt::process::{Child, Command, Stdio};
use volt::time::{sleep, timeout};

fn run<F: Future>(future: F) -> F::Output {
    volt::Runtime::new().expect("a runtime").block_on(future)
}

fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    command
}

fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|at| (at * 31 + at / 251) as u8).collect()
}

const LONG: Duration = Duration::from_secs(20);

/// Returns `true` if the process exists, also as a zombie.
fn is_there(id: u32) -> bool {
    std::process::Command::new("kill")
        .args(["-0", &id.to_string()])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

async fn is_gone_soon(id: u32) -> bool {
    let gone = async {
        while is_there(id) {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(LONG, gone).await.is_ok()
}

#[test]
fn output_and_status_report_the_exit() {
    run(async {
        let output = shell("echo out; echo err >&2; exit 3")
            .output()
            .await
            .expect("an output");
        assert_eq!(output.status.code(), Some(3));
        assert_eq!(
            (&output.stdout[..], &output.stderr[..]),
            (&b"out\n"[..], &b"err\n"[..])
        );
        let status = shell("kill -9 $$").status().await.expect("a status");
        assert_eq!(status.signal(), Some(9));
        let mut command = Command::new("sh");
        command
            .args(["-c", "echo $A $B; pwd"])
            .env_clear()
            .envs([("A", "1"), ("B", "2")]);
        command.env_remove("B").current_dir("/");
        assert_eq!(command.output().await.expect("an output").stdout, b"1\n/\n");
        let error = Command::new("no such program")
            .output()
            .await
            .expect_err("none");
        assert_eq!(error.kind(), ErrorKind::NotFound);
    });
}

#[test]
fn megabytes_go_through_a_child() {
    const LEN: usize = 2 * 1024 * 1024 + 5;
    run(async {
        let mut command = Command::new("cat");
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("a child");
        let mut stdin = child.stdin.take().expect("a pipe");
        let mut stdout = child.stdout.take().expect("a pipe");
        let sender = volt::spawn(async move {
            stdin.write_all(&pattern(LEN)).await?;
            stdin.close().await?;
            // The pipe is closed.
            let refused = stdin.write(b"x").await.expect_err("closed");
            assert_eq!(refused.kind(), ErrorKind::BrokenPipe);
            std::io::Result::Ok(())
        });
        let mut read = Vec::new();
        stdout.read_to_end(&mut read).await.expect("bytes");
        assert!(read == pattern(LEN));
        sender.await.expect("no panic").expect("sent");
        let status = child.wait().await.expect("a status");
        assert!(status.success());
        // The status is returned again by each method.
        assert_eq!(child.wait().await.ok(), Some(status));
        assert_eq!(child.try_wait().ok(), Some(Some(status)));
        assert_eq!(child.id(), None);
        // As in the standard library, there is nothing left to kill.
        child.start_kill().expect("no error");
        child.kill().await.expect("no error");
    });
}

#[test]
fn conversation_is_line_by_line() {
    run(async {
        let mut child = shell("while read line; do echo \"<$line>\"; done")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a child");
        let mut stdin = child.stdin.take().expect("a pipe");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        for n in 0..20 {
            stdin
                .write_all(format!("{n}\n").as_bytes())
                .await
                .expect("sent");
            let line = lines.next_line().await.expect("text");
            assert_eq!(line, Some(format!("<{n}>")));
        }
        drop(stdin);
        assert_eq!(lines.next_line().await.expect("text"), None);
        assert!(child.wait().await.expect("a status").success());
    });
}

#[test]
fn wait_closes_the_standard_input() {
    run(async {
        let mut child = Command::new("cat")
            .stdin(Stdio::piped())
            .spawn()
            .expect("a child");
        let status = timeout(LONG, child.wait()).await.expect("in time");
        assert!(status.expect("a status").success());
        let mut child = Command::new("cat")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a child");
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(b"to the end").await.expect("sent");
        drop(stdin);
        let output = child.wait_with_output().await.expect("an output");
        assert_eq!(output.stdout, b"to the end");
    });
}

#[test]
fn pipeline_connects_output_to_input() {
    run(async {
        let mut print = shell("for n in 5 3 9 1; do echo $n; done")
            .stdout(Stdio::piped())
            .spawn()
            .expect("a child");
        let from = Stdio::try_from(print.stdout.take().expect("a pipe")).expect("a pipe");
        let mut sort = Command::new("sort")
            .stdin(from)
            .stdout(Stdio::piped())
            .spawn()
            .expect("a child");
        let from = Stdio::try_from(sort.stdout.take().expect("a pipe")).expect("a pipe");
        let output = Command::new("head")
            .args(["-n", "2"])
            .stdin(from)
            .output()
            .await
            .expect("an output");
        assert_eq!(output.stdout, b"1\n3\n");
        assert!(print.wait().await.expect("a status").success());
        assert!(sort.wait().await.expect("a status").success());
    });
}

#[test]
fn kill_ends_the_child_and_waits() {
    run(async {
        let mut child = Command::new("sleep").arg("1000").spawn().expect("a child");
        let id = child.id().expect("an id");
        assert_eq!(child.try_wait().ok(), Some(None));
        timeout(LONG, child.kill())
            .await
            .expect("in time")
            .expect("killed");
        assert!(!is_there(id));
        let status = child.wait().await.expect("a status");
        assert_eq!(status.signal(), Some(9));
    });
}

#[test]
fn dropped_wait_can_be_repeated() {
    run(async {
        let mut child = Command::new("sleep").arg("0.1").spawn().expect("a child");
        assert!(
            timeout(Duration::from_millis(5), child.wait())
                .await
                .is_err()
        );
        assert!(child.wait().await.expect("a status").success());
    });
}

#[test]
fn dropped_child_continues_and_leaves_no_zombie() {
    run(async {
        let mut child = shell("read line; exit 0")
            .stdin(Stdio::piped())
            .spawn()
            .expect("a child");
        let (id, stdin) = (child.id().expect("an id"), child.stdin.take());
        drop(child);
        sleep(Duration::from_millis(20)).await;
        assert!(is_there(id), "the child continues");
        drop(stdin);
        assert!(is_gone_soon(id).await);
    });
}

#[test]
fn kill_on_drop_ends_the_child_without_a_zombie() {
    run(async {
        let sleep = || {
            let mut command = Command::new("sleep");
            command.arg("1000").kill_on_drop(true);
            command
        };
        let child = sleep().spawn().expect("a child");
        let id = child.id().expect("an id");
        drop(child);
        assert!(is_gone_soon(id).await);
        assert!(
            timeout(Duration::from_millis(5), sleep().status())
                .await
                .is_err()
        );
        assert!(
            timeout(Duration::from_millis(5), sleep().output())
                .await
                .is_err()
        );
    });
}

#[test]
fn child_outliving_its_runtime_is_reaped_later() {
    let (child, stdin) = {
        let runtime = volt::Runtime::new().expect("a runtime");
        let _entered = runtime.enter();
        let mut child: Child = Command::new("cat")
            .stdin(Stdio::piped())
            .spawn()
            .expect("a child");
        let pipe: Stdio = child
            .stdin
            .take()
            .expect("a pipe")
            .try_into()
            .expect("a pipe");
        (child, pipe)
    };
    let id = child.id().expect("an id");
    drop(child);
    assert!(is_there(id));
    drop(stdin);
    run(async {
        let collected = async {
            while is_there(id) {
                Command::new("true").status().await.expect("a status");
            }
        };
        timeout(LONG, collected).await.expect("collected");
    });
}

#[volt::state_machine(explicit)]
async fn ends_well(mut child: Child) -> std::io::Result<bool> {
    let status = child.wait().await?;
    Ok(status.success())
}

#[test]
fn machines_wait_for_children() {
    run(async {
        let child = Command::new("true").spawn().expect("a child");
        assert_eq!(ends_well(child).await.ok(), Some(true));
    });
}
