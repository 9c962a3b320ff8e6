//! Spans and events of tasks and workers.

#![cfg(feature = "tracing")]

use std::collections::HashMap;
use std::fmt::{self, Write};
use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::time::Duration;

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Dispatch, Event, Metadata, Subscriber};
use volt::task::yield_now;
use volt::time::sleep;
use volt::{Builder, Runtime};

/// A subscriber that records each event as a line, with the names of spans.
#[derive(Clone, Default)]
struct Listener(Arc<Mutex<Recording>>);

#[derive(Default)]
struct Recording {
    lines: Vec<String>,
    names: HashMap<u64, String>,
    /// The names of the spans.
    spans: Vec<&'static str>,
}

impl Recording {
    fn record_span(&mut self, event: &str, id: &Id) {
        let name = self.names[&id.into_u64()].clone();
        self.lines.push(format!("{event} {name}"));
    }
}

/// Fields as text.
#[derive(Default)]
struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        write!(self.0, " {field}={value:?}").unwrap();
    }
}

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let target = metadata.target();
        target.starts_with("volt::") || target.starts_with("runtime::")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields::default();
        span.record(&mut fields);
        let mut recording = self.0.lock().unwrap();
        let id = recording.names.len() as u64 + 1;
        let name = fields.0.split(" task.name=\"").nth(1);
        let name = name.and_then(|rest| rest.split('"').next());
        let name = name.unwrap_or("nameless").to_owned();
        recording.names.insert(id, name);
        recording.spans.push(span.metadata().name());
        recording.lines.push(format!("new{}", fields.0));
        Id::from_u64(id)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        let mut fields = Fields::default();
        values.record(&mut fields);
        let mut recording = self.0.lock().unwrap();
        recording.record_span(&format!("record{}", fields.0), span);
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let mut recording = self.0.lock().unwrap();
        let target = event.metadata().target();
        recording.lines.push(format!("{target}{}", fields.0));
    }

    fn enter(&self, span: &Id) {
        self.0.lock().unwrap().record_span("enter", span);
    }

    fn exit(&self, span: &Id) {
        self.0.lock().unwrap().record_span("exit", span);
    }

    fn try_close(&self, span: Id) -> bool {
        self.0.lock().unwrap().record_span("let go", &span);
        true
    }
}

/// Runs `program` on a runtime with one worker, and returns the recorded lines.
fn record_run(program: impl FnOnce(&Runtime)) -> Vec<String> {
    let listener = Listener::default();
    let dispatch = Dispatch::new(listener.clone());
    let on_worker = dispatch.clone();
    let runtime = Builder::new()
        .worker_threads(1)
        // The subscriber is active until the thread ends.
        .on_thread_start(move || {
            std::mem::forget(tracing::dispatcher::set_default(&on_worker));
        })
        .build()
        .unwrap();
    tracing::dispatcher::with_default(&dispatch, || program(&runtime));
    drop(runtime);
    let recording = listener.0.lock().unwrap();
    recording.lines.clone()
}

/// Waits until the worker has polled a task and sleeps.
fn wait_for_rest(runtime: &Runtime) {
    // The order matters, because a worker also sleeps before its first poll.
    while runtime.stats().polled() == 0 || runtime.stats().sleeping == 0 {
        std::thread::yield_now();
    }
}

/// Returns the lines of one task, without the drops of span handles.
fn of<'a>(lines: &'a [String], name: &str) -> Vec<&'a str> {
    let about = lines.iter().filter(|line| line.contains(name));
    let about = about.map(String::as_str);
    about.filter(|line| !line.starts_with("let go")).collect()
}

#[test]
fn span_of_a_task_is_entered_at_each_poll() {
    let line = line!() + 2;
    let lines = record_run(|runtime| {
        let task = runtime.handle().spawn_named("walker", async {
            yield_now().await;
            tracing::trace!(target: "volt::test", "inside");
        });
        runtime.block_on(task).unwrap();
    });
    let walker = of(&lines, "walker");
    assert!(walker[0].starts_with("new kind=\"task\" task.name=\"walker\""));
    let location = format!("tests/tracing.rs\" loc.line={line} loc.col=");
    assert!(walker[0].contains(&location), "{walker:?}");
    assert!(walker[1].starts_with("record task.id="), "{walker:?}");
    // The span is entered for two polls and for the drop of the future.
    let steps = ["enter walker", "exit walker"].repeat(3);
    assert_eq!(walker[2..], steps);
    let inside = lines
        .iter()
        .position(|line| line == "volt::test message=inside");
    let enters: Vec<_> = (0..lines.len())
        .filter(|&at| lines[at] == "enter walker")
        .collect();
    assert!(inside.is_some_and(|inside| inside == enters[1] + 1));
}

#[test]
fn spawn_and_wake_events_have_the_task_id() {
    let mut id = String::new();
    let lines = record_run(|runtime| {
        let place = Arc::new(Mutex::new(None));
        let mut waits = Some(place.clone());
        let task = runtime.handle().spawn_named(
            "sleeper",
            poll_fn(move |cx| match waits.take() {
                Some(place) => {
                    *place.lock().unwrap() = Some(cx.waker().clone());
                    Poll::Pending
                }
                None => Poll::Ready(()),
            }),
        );
        id = task.id().to_string();
        // A wake of a running task emits no event.
        wait_for_rest(runtime);
        let waker: Option<Waker> = place.lock().unwrap().take();
        waker.expect("a stored waker").wake();
        runtime.block_on(task).unwrap();
    });
    let spawned = lines
        .iter()
        .position(|line| line == "volt::task message=spawn");
    let enters = lines.iter().position(|line| line == "enter sleeper");
    assert!(spawned.unwrap() < enters.unwrap());
    let wake = format!("volt::task message=wake id={id}");
    assert_eq!(
        lines.iter().filter(|line| **line == wake).count(),
        1,
        "{lines:?}"
    );
    assert!(lines.contains(&format!("record task.id={id} sleeper")));
}

#[test]
fn workers_emit_park_and_unpark_events() {
    let lines = record_run(|runtime| {
        runtime.block_on(runtime.spawn(async {})).unwrap();
        wait_for_rest(runtime);
        runtime.block_on(runtime.spawn(async {})).unwrap();
    });
    let count = |event: &str| {
        let line = format!("volt::worker message={event} worker=0");
        lines.iter().filter(|known| **known == line).count()
    };
    assert!(count("park") >= 1);
    assert!(count("unpark") >= 1);
    assert!(count("park").abs_diff(count("unpark")) <= 1);
}

#[volt::state_machine]
async fn stroll(limit: Duration) {
    sleep(limit).await;
}

/// The span wraps the machine, and does not hide its position.
#[test]
fn machine_inside_a_span_is_dumped() {
    record_run(|runtime| {
        let stroll = stroll(Duration::from_secs(3_600));
        let size = size_of_val(&stroll);
        let task = runtime.spawn(stroll);
        wait_for_rest(runtime);
        let dump = runtime.dump();
        let [info] = dump.tasks() else {
            panic!("{dump}")
        };
        assert_eq!(info.position[0].machine, "Stroll");
        assert!(
            !info.type_name.contains("Instrumented"),
            "{}",
            info.type_name
        );
        assert_eq!(info.future_size, size);
        task.cancel();
    });
}

#[test]
fn local_tasks_have_spans_too() {
    let listener = Listener::default();
    tracing::subscriber::with_default(listener.clone(), || {
        let runtime = Builder::new().build_local().unwrap();
        let task = runtime.spawn_local(yield_now());
        runtime.block_on(task).unwrap();
    });
    let lines = listener.0.lock().unwrap().lines.clone();
    let enters = lines.iter().filter(|line| *line == "enter nameless");
    assert_eq!(enters.count(), 3, "{lines:?}");
}

/// The subscriber of tokio-console recognizes spans and wakers by these names, and reads these
/// fields.
#[test]
fn waker_events_have_the_span_id() {
    let lines = record_run(|runtime| {
        let (ours, mut waits) = (Arc::new(Mutex::new(None)), true);
        let place = ours.clone();
        let task = runtime.spawn(poll_fn(move |cx| {
            if std::mem::take(&mut waits) {
                let waker = cx.waker().clone();
                drop(waker.clone());
                *place.lock().unwrap() = Some(waker);
                return Poll::Pending;
            }
            Poll::Ready(())
        }));
        wait_for_rest(runtime);
        let waker: Option<Waker> = ours.lock().unwrap().take();
        waker.expect("a stored waker").wake();
        runtime.block_on(task).unwrap();
    });
    let ops = lines
        .iter()
        .filter(|line| line.starts_with("runtime::waker"));
    let [clone, wake, drop] =
        ["clone", "wake", "drop"].map(|op| format!("runtime::waker op=\"waker.{op}\" task.id=1"));
    assert_eq!(ops.collect::<Vec<_>>(), [&clone, &clone, &drop, &wake]);
    let span = lines.iter().find(|line| line.starts_with("new "));
    assert!(
        span.is_some_and(|line| line.contains("size.bytes=")),
        "{lines:?}"
    );
}

#[test]
fn task_span_has_the_name_of_tokio_console() {
    let listener = Listener::default();
    tracing::subscriber::with_default(listener.clone(), || {
        let runtime = Builder::new().build_local().unwrap();
        runtime.block_on(runtime.spawn_local(async {})).unwrap();
    });
    let recording = listener.0.lock().unwrap();
    assert!(recording.lines[0].starts_with("new kind=\"local\""));
    assert_eq!(recording.spans, ["runtime.spawn"]);
}
