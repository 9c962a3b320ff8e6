//! A list of all futures and streams of the crate. A test must await each of them in a loop.
#![cfg(not(miri))]

use std::collections::BTreeSet;
use std::path::Path;

/// Futures and streams that are ready only if the future or stream inside is ready.
const WRAPPERS: &[&str] = &[
    "Attached",
    "BlockOnFuture",
    "BlockingJob",
    "BufReader",
    "BufWriter",
    "CancelOnDrop",
    "Chain",
    "Charged",
    "Cooperative",
    "Inspected",
    "InspectionJob",
    "ReadHalf",
    "ReapTask",
    "Scope",
    "Shielded",
    "Take",
    "Task",
    "Timeout",
    "Unconstrained",
    "WriteHalf",
];

/// Futures and streams that tests in `budget_leaves.rs`, `budget.rs` and `files.rs` await.
const AWAITED: &[&str] = &[
    "Accept",
    "Advance",
    "ChildStdin",
    "Close",
    "Connect",
    "ConnectSocket",
    "ConsumeBudget",
    "Copy",
    "CopyBidirectional",
    "CopyBuf",
    "CtrlC",
    "DuplexStream",
    "Empty",
    "File",
    "FillBuf",
    "FillTo",
    "Flush",
    "IntoStd",
    "JoinHandle",
    "Kill",
    "LookupHost",
    "NextEntry",
    "NextLine",
    "NextSegment",
    "FileOperation",
    "Operation",
    "Output",
    "Peek",
    "PeekFrom",
    "Read",
    "ReadBuf",
    "ReadBuffered",
    "ReadExact",
    "ReadLine",
    "ReadNumber",
    "ReadToEnd",
    "ReadToString",
    "ReadUntil",
    "ReadVectored",
    "ReadyFor",
    "Receiver",
    "Recv",
    "RecvFrom",
    "RecvSignal",
    "Repeat",
    "Rewind",
    "Seek",
    "SendConnected",
    "SendTo",
    "Sender",
    "Sink",
    "Sleep",
    "Status",
    "Stdin",
    "StreamPosition",
    "Tick",
    "TryClone",
    "UnixAccept",
    "UnixConnect",
    "UnixConnectAddr",
    "Wait",
    "Write",
    "WriteAll",
    "WriteNumber",
    "WriteVectored",
    "YieldNow",
];

/// The test fails for a new future until one of the lists contains it.
#[test]
fn every_leaf_is_listed() {
    let mut found = BTreeSet::new();
    collect(
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")),
        &mut found,
    );
    let listed: BTreeSet<_> = [WRAPPERS, AWAITED]
        .concat()
        .into_iter()
        .map(str::to_owned)
        .collect();
    assert_eq!(found, listed);
}

/// Collects the names of types that implement `Future` or one of the stream traits.
fn collect(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_dir() && !["machine", "models", "tests", "runs"].contains(&&*name) {
            collect(&path, found);
        }
        if name.ends_with(".rs") && !name.ends_with("_tests.rs") && name != "models.rs" {
            let text = std::fs::read_to_string(&path).expect("a source");
            found.extend(text.lines().filter_map(implementor));
        }
    }
}

fn implementor(line: &str) -> Option<String> {
    // A future that the macro `io_future!` declares.
    if let Some((name, _)) = line.trim_start().split_once(" on Async")
        && name.chars().all(char::is_alphanumeric)
    {
        return Some(name.to_owned());
    }
    let line = line.strip_prefix("impl")?;
    let of = [
        "Future for ",
        "AsyncRead for ",
        "AsyncWrite for ",
        "AsyncBufRead for ",
    ];
    let (_, rest) = of.iter().find_map(|of| line.split_once(of))?;
    let end = rest.find(|c: char| !c.is_alphanumeric());
    Some(rest[..end.unwrap_or(rest.len())].to_owned())
}
