//! Inspections call code of the program: implementations of `Inspect` and `Debug`, futures, hooks,
//! reports and pages. In these tests, this code takes the locks of inspections. Under one of them
//! it would not return.
#![cfg(all(feature = "inspect", unix, not(miri)))]

mod acting;
mod inspecting;
mod unlocked;

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::channel;
use std::task::Context;
use std::thread;
use std::time::Duration;

use acting::acting;
use inspecting::{get, runtime_of};
use volt::runtime::{
    InspectAddress, LibraryPage, LibraryRequest, OrphanPolicy, PollLimits, add_inspect_page,
};
use volt::time::sleep;
use volt::{Builder, Handle, JoinHandle, LocalRuntime, Runtime};

use unlocked::{Action, Acts, SIGNAL, Watched, within_limit};

const LONG: Duration = Duration::from_millis(60);
const LIMIT: Duration = Duration::from_millis(20);

fn builder() -> Builder {
    Builder::new().worker_threads(1)
}

/// Spawns a future, and waits until its task sleeps.
fn spawn(handle: &Handle, future: Watched) -> JoinHandle<()> {
    let task = handle.spawn(future);
    while handle.stats().sleeping == 0 {
        thread::yield_now();
    }
    task
}

#[test]
fn inspect_runs_unlocked() {
    within_limit(|| {
        let runtime = builder().build().unwrap();
        let action = Action::new(runtime.handle());
        let inspect = action.clone();
        let future = Watched::new(&action, Acts::Never, move || inspect.run());
        let task = spawn(runtime.handle(), future);
        assert!(runtime.dump().to_string().contains("Watched"));
        assert!(runtime.handle().dump_task(task.id()).is_some());
        assert_eq!(action.calls(), 2);
    });
}

#[test]
fn debug_runs_unlocked() {
    within_limit(|| {
        let runtime = builder().build().unwrap();
        let action = Action::new(runtime.handle());
        let task = spawn(
            runtime.handle(),
            Watched::new(&action, Acts::InDebug, || ()),
        );
        let dump = runtime.handle().dump_task_with_values(task.id()).unwrap();
        assert!(dump.to_string().contains("action: Action"), "{dump}");
        assert!(action.was_called_here());
    });
}

/// The thread in `block_on` inspects its own future, and polls it for an inspection.
#[test]
fn future_of_block_on_is_inspected_unlocked() {
    for acts in [Acts::Never, Acts::InInspectionPoll] {
        within_limit(move || {
            let runtime = builder().build().unwrap();
            let action = Action::new(runtime.handle());
            let inspect = inspecting_action(&action, acts);
            let future = Watched::new(&action, acts, inspect);
            let handle = runtime.handle().clone();
            thread::spawn(move || handle.block_on(future));
            act_in(runtime.handle(), acts, &action);
        });
    }
}

#[test]
fn future_of_a_local_runtime_is_inspected_unlocked() {
    for acts in [Acts::Never, Acts::InInspectionPoll] {
        within_limit(move || {
            let (send, received) = channel();
            thread::spawn(move || {
                let runtime = LocalRuntime::new().unwrap();
                let action = Action::new(runtime.handle());
                let inspect = inspecting_action(&action, acts);
                let future = Watched::new(&action, acts, inspect);
                send.send(action).unwrap();
                runtime.block_on(future);
            });
            let action = received.recv().unwrap();
            act_in(action.handle(), acts, &action);
        });
    }
}

/// Returns the function of an inspection, which calls the action unless the poll does.
fn inspecting_action(action: &Action, acts: Acts) -> impl Fn() + Send + 'static {
    let action = (acts == Acts::Never).then(|| action.clone());
    move || action.iter().for_each(Action::run)
}

/// Takes dumps, or dumps by poll, until the action is called.
fn act_in(handle: &Handle, acts: Acts, action: &Action) {
    while action.calls() == 0 {
        match acts {
            Acts::InInspectionPoll => drop(handle.dump_by_poll(&PollLimits::default())),
            _ => drop(handle.dump()),
        }
    }
}

#[test]
fn inspection_poll_runs_unlocked() {
    within_limit(|| {
        let runtime = builder().build().unwrap();
        let action = Action::new(runtime.handle());
        let future = Watched::new(&action, Acts::InInspectionPoll, || ());
        let task = spawn(runtime.handle(), future);
        let dump = runtime.dump_by_poll(&PollLimits::default());
        assert!(action.calls() > 0, "{dump}");
        drop(task);
    });
}

/// The inspection drops the last waker, so the end of its claim reports the task.
#[test]
fn orphan_hook_of_a_dump_runs_unlocked() {
    within_limit(|| {
        let (send, received) = channel::<Action>();
        let received = std::sync::Mutex::new(received);
        let hook = move |_: &_| {
            let action = received.lock().unwrap().try_recv();
            if let Ok(action) = action {
                action.run();
            }
        };
        let builder = builder().orphans(OrphanPolicy::Ignore).on_orphan(hook);
        let runtime = builder.build().unwrap();
        let action = Action::new(runtime.handle());
        send.send(action.clone()).unwrap();
        let door = unlocked::Door::default();
        let stored = Arc::clone(&door);
        let future = Watched::new(&action, Acts::Never, move || {
            let waker = stored.lock().unwrap().take();
            drop(waker);
        });
        let task = spawn(runtime.handle(), future.with_door(door));
        assert!(runtime.handle().dump_task(task.id()).is_some());
        assert!(action.was_called_here());
    });
}

/// The report of an orphan drops the last waker of another task. Both drops are recorded, because
/// there is a server.
#[test]
fn orphan_hook_of_a_drop_runs_unlocked() {
    within_limit(|| {
        let doors = [unlocked::Door::default(), unlocked::Door::default()];
        let second = Arc::clone(&doors[1]);
        let (send, reported) = channel();
        let hook = move |_: &_| {
            let waker = second.lock().unwrap().take();
            drop(waker);
            send.send(()).unwrap();
        };
        let builder = builder().orphans(OrphanPolicy::Ignore).on_orphan(hook);
        let (runtime, _) = runtime_of(builder.inspect(InspectAddress::from(0)));
        let action = Action::new(runtime.handle());
        let tasks = doors.each_ref().map(|door| {
            let future = Watched::new(&action, Acts::Never, || ());
            spawn(runtime.handle(), future.with_door(Arc::clone(door)))
        });
        let waker = doors[0].lock().unwrap().take();
        drop(waker);
        assert_eq!(reported.iter().take(tasks.len()).count(), 2);
    });
}

/// The inspection cancels the task, whose future is dropped after the claim.
#[test]
fn future_cancelled_by_a_dump_is_dropped_unlocked() {
    within_limit(|| {
        let runtime = builder().build().unwrap();
        let action = Action::new(runtime.handle());
        let (send, received) = channel::<volt::task::AbortHandle>();
        let cancel = move || received.try_iter().for_each(|task| task.cancel());
        let task = spawn(
            runtime.handle(),
            Watched::new(&action, Acts::InDrop, cancel),
        );
        send.send(task.abort_handle()).unwrap();
        drop(runtime.dump());
        assert!(runtime.block_on(task).unwrap_err().is_cancelled());
        assert_eq!(action.calls(), 1);
    });
}

#[test]
fn slow_poll_hook_runs_unlocked() {
    within_limit(|| {
        let (send, received) = channel::<Action>();
        let received = std::sync::Mutex::new(received);
        let (end, ended) = channel();
        let hook = move |_: &_| {
            let action = received.lock().unwrap().try_recv();
            if let Ok(action) = action {
                action.run();
                end.send(()).unwrap();
            }
        };
        let runtime = builder().on_slow_poll(LIMIT, hook).build().unwrap();
        send.send(Action::new(runtime.handle())).unwrap();
        runtime.spawn(async { thread::sleep(LONG) }).detach();
        ended.recv().unwrap();
    });
}

#[test]
fn reports_are_shown_unlocked() {
    within_limit(|| {
        let runtime = builder().build().unwrap();
        let handle = runtime.handle().clone();
        let stuck = Action::new(&handle);
        let show = stuck.clone();
        let stuck_report = move |_| show.run();
        handle.dump_when_stuck(LIMIT, stuck_report).unwrap();
        let task = runtime.spawn(Watched::new(&stuck, Acts::Never, || ()));
        stuck.wait();
        task.cancel();
        let signalled = Action::new(&handle);
        let show = signalled.clone();
        let dumps = handle.dump_on_signal(SIGNAL, move |_| show.run()).unwrap();
        signal_hook::low_level::raise(SIGNAL).unwrap();
        signalled.wait();
        dumps.stop();
    });
}

/// The drop of a runtime ends the threads of its reports, also inside of a report.
#[test]
fn runtime_is_dropped_in_its_reports_unlocked() {
    for signal in [None, Some(SIGNAL)] {
        within_limit(move || {
            let runtime = builder().build().unwrap();
            let handle = runtime.handle().clone();
            let (give, given) = channel::<Runtime>();
            let (send, dropped) = channel();
            let end = move || {
                drop(given.recv().unwrap());
                send.send(()).unwrap();
            };
            runtime.spawn(std::future::pending::<()>()).detach();
            match signal {
                None => handle.dump_when_stuck(LIMIT, move |_| end()).unwrap(),
                Some(signal) => {
                    handle.dump_on_signal(signal, move |_| end()).unwrap();
                    signal_hook::low_level::raise(signal).unwrap();
                }
            }
            give.send(runtime).unwrap();
            dropped.recv().unwrap();
        });
    }
}

/// A page of a library that calls its action for each request, and when it is dropped.
struct ActingPage(Action);

impl LibraryPage for ActingPage {
    fn html(&self) -> &'static str {
        self.0.run();
        "page"
    }

    fn data(&self, _: &LibraryRequest) -> Option<String> {
        self.0.run();
        Some("[]".to_owned())
    }

    fn act(&self, _: &LibraryRequest) -> Option<String> {
        None
    }
}

impl Drop for ActingPage {
    fn drop(&mut self) {
        self.0.run();
    }
}

#[test]
fn pages_are_called_and_dropped_unlocked() {
    within_limit(|| {
        let (runtime, address) = runtime_of(builder().inspect(InspectAddress::from(0)));
        let action = Action::new(runtime.handle());
        add_inspect_page("acting", ActingPage(action.clone()));
        assert_eq!(get(address, "/acting/", "").body, "page");
        assert_eq!(get(address, "/acting/data.json", "").body, "[]");
        let before = action.calls();
        assert!(before >= 2);
        add_inspect_page("acting", unlocked::EmptyPage);
        assert_eq!(action.calls(), before + 1, "the page was dropped");
    });
}

/// A dump reads the addresses of wakers, and calls no function of a waker of the program.
#[test]
fn dump_calls_no_foreign_waker() {
    within_limit(|| {
        let runtime = builder().build().unwrap();
        let _entered = runtime.enter();
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&calls);
        let waker = acting(move |_| _ = counted.fetch_add(1, SeqCst));
        let mut cx = Context::from_waker(&waker);
        let mut timer = pin!(sleep(Duration::from_secs(7_200)));
        let action = Action::new(runtime.handle());
        let mut task = spawn(runtime.handle(), Watched::new(&action, Acts::Never, || ()));
        let (near, _far) = volt::net::UnixStream::pair().unwrap();
        assert!(timer.as_mut().poll(&mut cx).is_pending());
        assert!(pin!(&mut task).poll(&mut cx).is_pending());
        assert!(near.poll_read(&mut cx, &mut [0]).is_pending());
        let before = calls.load(SeqCst);
        assert!(before > 0, "the wakers are cloned");
        drop(runtime.dump());
        drop(runtime.dump_by_poll(&PollLimits::default()));
        assert_eq!(calls.load(SeqCst), before);
    });
}
