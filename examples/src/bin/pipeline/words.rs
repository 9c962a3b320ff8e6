//! The pipeline.

use std::io;

use volt::future::try_join;
use volt::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use volt::process::{Child, ChildStdin, Command, Stdio};

/// The words that are there most often, each with its number before it.
///
/// If this is dropped before it is ready, all programs are ended.
pub(crate) async fn most_frequent(text: Vec<u8>, top: u32) -> io::Result<Vec<String>> {
    let top = format!("-n{top}");
    let stages: [&[&str]; 5] = [
        &["tr", "-cs", "A-Za-z", "\n"],
        &["sort"],
        &["uniq", "-c"],
        &["sort", "-k1,1nr", "-k2"],
        &["head", &top],
    ];
    let mut programs: Vec<Child> = Vec::new();
    let mut input = Stdio::piped();
    for stage in stages {
        let mut program = start(stage, input)?;
        // The next one reads what this one writes; nothing of it comes by here.
        if stage[0] == "head" {
            programs.push(program);
            break;
        }
        input = program
            .stdout
            .take()
            .ok_or(io::ErrorKind::BrokenPipe)?
            .try_into()?;
        programs.push(program);
    }
    let [first, .., last] = &mut programs[..] else {
        return Ok(Vec::new());
    };
    let (_, lines) = try_join(feed(first.stdin.take(), &text), read(last)).await?;
    for program in &mut programs {
        let status = program.wait().await?;
        // A program is ended by a signal if it writes to one that has read enough. That is
        // expected.
        if status.code().is_some_and(|code| code != 0) {
            return Err(io::Error::other(format!("a program has failed: {status}")));
        }
    }
    Ok(lines)
}

fn start(stage: &[&str], input: Stdio) -> io::Result<Child> {
    Command::new(stage[0])
        .args(&stage[1..])
        .env("LC_ALL", "C")
        .stdin(input)
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
}

/// Writes the text, and ends it.
async fn feed(stdin: Option<ChildStdin>, text: &[u8]) -> io::Result<()> {
    let Some(mut stdin) = stdin else {
        return Ok(());
    };
    stdin.write_all(text).await?;
    stdin.close().await
}

async fn read(last: &mut Child) -> io::Result<Vec<String>> {
    let Some(stdout) = last.stdout.take() else {
        return Ok(Vec::new());
    };
    let mut lines = BufReader::new(stdout).lines();
    let mut words = Vec::new();
    while let Some(line) = lines.next_line().await? {
        words.push(line.trim().to_owned());
    }
    Ok(words)
}
