//! A loop over a foreign future that borrows two locals, with a vector and a counter without
//! written types.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use volt::machine::StateMachine;

use crate::support::{Log, turn};

struct Stream(Vec<u8>, Log);

impl Drop for Stream {
    fn drop(&mut self) {
        self.1.note("drop stream");
    }
}

impl Stream {
    async fn read_buf(&mut self, buf: &mut Bytes) -> Result<usize, Broken> {
        let _note = Note("drop read", self.1.clone());
        turn().await;
        let n = self.0.len().min(3);
        buf.0.extend(self.0.drain(..n));
        if self.0 == [9] { Err(Broken) } else { Ok(n) }
    }
}

#[derive(Debug)]
struct Broken;

impl From<Broken> for String {
    fn from(Broken: Broken) -> Self {
        "broken".into()
    }
}

struct Note(&'static str, Log);

impl Drop for Note {
    fn drop(&mut self) {
        self.1.note(self.0);
    }
}

#[derive(Debug, Default)]
struct Bytes(Vec<u8>);

impl Drop for Bytes {
    fn drop(&mut self) {
        LOG.with(|log| log.note("drop buf"));
    }
}

thread_local! {
    static LOG: Log = Log::default();
}

async fn count(n: usize) -> usize {
    let _note = Note("drop count", LOG.with(Clone::clone));
    turn().await;
    assert!(n != 2, "two");
    n
}

#[volt::state_machine(explicit)]
async fn handle(mut stream: Stream) -> Result<usize, String> {
    let mut buf = Bytes::default();
    let mut total = 0;
    loop {
        let n = stream.read_buf(&mut buf).await?;
        if n == 0 {
            break;
        }
        let line = count(n).await;
        total += line;
        buf.0.clear();
    }
    Ok(total)
}

fn stream(bytes: usize) -> Stream {
    Stream(vec![1; bytes], LOG.with(Clone::clone))
}

fn poll(machine: Pin<&mut Handle>) -> Poll<Result<usize, String>> {
    machine.poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn machine_returns_the_output_of_the_function() {
    let mut machine = pin!(handle(stream(7)));
    let mut polls = 0;
    let output = loop {
        polls += 1;
        if let Poll::Ready(output) = poll(machine.as_mut()) {
            break output;
        }
    };
    assert_eq!((output, polls), (Ok(7), 8));
    assert!(machine.is_terminated());
    assert!(size_of::<Handle>() <= Handle::NATIVE_SIZE.unwrap());
}

#[test]
fn error_drops_live_locals_in_order() {
    let mut machine = pin!(handle(Stream(vec![1, 1, 1, 9], LOG.with(Clone::clone))));
    assert!(poll(machine.as_mut()).is_pending());
    LOG.with(Log::take);
    assert_eq!(poll(machine.as_mut()), Poll::Ready(Err("broken".into())));
    assert_eq!(
        LOG.with(Log::take),
        ["drop read", "drop buf", "drop stream"]
    );
}

#[test]
fn cancellation_drops_future_before_its_borrows() {
    for (polls, drops) in [
        (0, &["drop stream"][..]),
        (1, &["drop read", "drop buf", "drop stream"]),
        (2, &["drop count", "drop buf", "drop stream"]),
    ] {
        let mut machine = Box::pin(handle(stream(7)));
        for _ in 0..polls {
            assert!(poll(machine.as_mut()).is_pending());
        }
        LOG.with(Log::take);
        drop(machine);
        assert_eq!(LOG.with(Log::take), drops);
    }
}

#[test]
fn panic_drops_all_before_it_goes_on_and_poisons() {
    let mut machine = Box::pin(handle(stream(5)));
    for _ in 0..4 {
        assert!(poll(machine.as_mut()).is_pending());
    }
    LOG.with(Log::take);
    assert!(catch_unwind(AssertUnwindSafe(|| poll(machine.as_mut()))).is_err());
    assert_eq!(
        LOG.with(Log::take),
        ["drop count", "drop buf", "drop stream"]
    );
    assert_eq!(machine.state().name, "poisoned");
    let resumed = catch_unwind(AssertUnwindSafe(|| poll(machine.as_mut()))).unwrap_err();
    let text = resumed.downcast_ref::<&str>().unwrap();
    assert_eq!(*text, "`async fn` resumed after panicking");
    drop(machine);
    assert!(LOG.with(Log::take).is_empty());
}

#[test]
fn debug_shows_debug_locals_and_borrows_none() {
    let mut machine = pin!(handle(stream(7)));
    assert!(format!("{machine:?}").starts_with(r#"Handle { state: "start", line: "#));
    assert!(poll(machine.as_mut()).is_pending());
    let shown = format!("{machine:?}");
    assert!(
        shown.contains(r#"state: "await read_buf", line: "#),
        "{shown}"
    );
    let values = ", stream: <borrowed>, buf: <borrowed>, total: 0 }";
    assert!(shown.ends_with(values), "{shown}");
    assert!(poll(machine.as_mut()).is_pending());
    let shown = format!("{machine:?}");
    assert!(
        shown.contains(r#"state: "await count""#) && shown.ends_with(", total: 0 }"),
        "{shown}"
    );
}
