//! Dumps of the futures of `block_on`.

use std::future::poll_fn;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::{Context, Poll, Waker};
use std::thread::{self, JoinHandle, ThreadId};

use tokio::sync::oneshot;
use volt::Handle;
use volt::runtime::{Dump, LocalRuntime, Runtime, block_in_place};
use volt::task::{Lifecycle, TaskInfo};
use volt_inspect::{Inspect, Inspector, Node, register, registrable};

fn runtime() -> Runtime {
    Runtime::builder().worker_threads(1).build().unwrap()
}

/// Blocks a new thread with the name `visitor` on the future that `make` returns.
fn visit<F: Future>(handle: &Handle, make: impl FnOnce() -> F + Send + 'static) -> JoinHandle<()> {
    let (handle, thread) = (
        handle.clone(),
        thread::Builder::new().name("visitor".into()),
    );
    let block = move || drop(handle.block_on(make()));
    thread.spawn(block).unwrap()
}

/// Takes dumps until one matches.
fn dump_until(handle: &Handle, matches: impl Fn(&Dump) -> bool) -> Dump {
    loop {
        let dump = handle.dump();
        if matches(&dump) {
            return dump;
        }
        thread::yield_now();
    }
}

/// Takes dumps until one has the tree of the future of `block_on`.
fn dump_with_tree(handle: &Handle) -> Dump {
    dump_until(handle, |dump| {
        let futures = dump.block_on_futures().iter();
        futures
            .map(|future| dump.tree(future))
            .any(|tree| !tree.is_empty())
    })
}

fn only(dump: &Dump) -> &TaskInfo {
    match dump.block_on_futures() {
        [future] => future,
        others => panic!("{} futures: {dump}", others.len()),
    }
}

#[volt::state_machine]
async fn serve(request: oneshot::Receiver<()>, job: volt::JoinHandle<()>) {
    request.await.unwrap();
    job.await.unwrap();
}

#[test]
fn machine_of_block_on_is_in_a_dump() {
    let runtime = runtime();
    let (go, gone) = oneshot::channel();
    let (end, ended) = oneshot::channel();
    let job = runtime.spawn(async { ended.await.unwrap() });
    let id = job.id();
    let thread = visit(runtime.handle(), move || serve(gone, job));
    let dump = dump_with_tree(runtime.handle());
    let future = only(&dump);
    assert!(future.block_on && !future.blocking, "{dump}");
    assert_eq!((future.lifecycle, future.polls), (Lifecycle::Idle, 1));
    assert_eq!(future.name.as_deref(), Some("block_on on thread visitor"));
    assert_eq!(dump.blocked()[0].future, future.id);
    assert_eq!(dump.tasks().len(), 1, "the future is not a task");
    let state = future.position[0];
    assert_eq!((state.machine, state.name), ("Serve", "await request"));
    assert!(
        dump.to_string().contains("Serve at await request"),
        "{dump}"
    );
    go.send(()).unwrap();
    let dump = dump_until(runtime.handle(), |dump| {
        let mut futures = dump.block_on_futures().iter();
        futures.any(|future| future.waits_for == [id])
    });
    assert_eq!(only(&dump).polls, 2, "a dump does not poll");
    let text = dump.to_string();
    assert!(text.contains(&format!("waits for task {id}")), "{text}");
    end.send(()).unwrap();
    thread.join().unwrap();
    assert!(runtime.dump().block_on_futures().is_empty());
}

/// A future that is not `Send`. It sends the thread that inspects it.
struct Local {
    name: Rc<str>,
    inspected_by: Sender<ThreadId>,
    done: oneshot::Receiver<()>,
}

impl Future for Local {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        register::<Self>();
        Pin::new(&mut self.done).poll(cx).map(|done| done.unwrap())
    }
}

impl Inspect for Local {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        self.inspected_by.send(thread::current().id()).unwrap();
        let name = Rc::clone(&self.name);
        inspector.node(&Node::new("Local"), |inspector| {
            inspector.value("name", &name)
        });
    }
}

registrable!(Local);

#[test]
fn thread_inspects_its_own_future() {
    let runtime = runtime();
    let (go, done) = oneshot::channel();
    let (inspected_by, inspections) = channel();
    let local = || Local {
        name: "page".into(),
        inspected_by,
        done,
    };
    let thread = visit(runtime.handle(), local);
    let id = only(&dump_with_tree(runtime.handle())).id;
    let values = loop {
        let dump = runtime.handle().dump_task_with_values(id).unwrap();
        if let Some(root) = dump.tree(only(&dump)).into_iter().next() {
            break root.values;
        }
    };
    assert_eq!(values[..], [("name", "\"page\"".to_owned())]);
    let id = thread.thread().id();
    go.send(()).unwrap();
    thread.join().unwrap();
    assert!(inspections.iter().all(|by| by == id));
}

#[test]
fn future_in_a_poll_is_not_awaited() {
    let runtime = runtime();
    let (begin, begun) = channel();
    let (go, gone): (Sender<()>, Receiver<()>) = channel();
    let waker = Arc::new(Mutex::new(None::<Waker>));
    let stored = Arc::clone(&waker);
    let thread = visit(runtime.handle(), move || {
        let mut polls = 0;
        poll_fn(move |cx| {
            polls += 1;
            if polls == 1 {
                *stored.lock().unwrap() = Some(cx.waker().clone());
                return Poll::Pending;
            }
            begin.send(()).unwrap();
            _ = gone.recv();
            Poll::Ready(())
        })
    });
    drop(dump_until(runtime.handle(), |dump| {
        !dump.blocked().is_empty()
    }));
    waker.lock().unwrap().take().unwrap().wake();
    begun.recv().unwrap();
    let dump = runtime.dump();
    assert_eq!(only(&dump).lifecycle, Lifecycle::Running);
    assert!(dump.tree(only(&dump)).is_empty());
    drop(go);
    thread.join().unwrap();
}

#[test]
fn future_of_a_local_runtime_is_in_a_dump() {
    let (sender, receiver) = channel();
    let (go, gone) = oneshot::channel();
    let (end, ended) = oneshot::channel();
    let thread = thread::spawn(move || {
        let runtime = LocalRuntime::new().unwrap();
        sender.send(runtime.handle().clone()).unwrap();
        let job = runtime.spawn(async { ended.await.unwrap() });
        runtime.block_on(serve(gone, job));
    });
    let handle = receiver.recv().unwrap();
    let dump = dump_with_tree(&handle);
    assert_eq!(only(&dump).position[0].name, "await request");
    assert_eq!(only(&dump).polls, 1, "a dump does not poll");
    go.send(()).unwrap();
    end.send(()).unwrap();
    thread.join().unwrap();
}

#[test]
fn dump_on_the_thread_itself_waits_for_nothing() {
    let runtime = LocalRuntime::new().unwrap();
    let (go, gone) = oneshot::channel::<()>();
    let handle = runtime.handle().clone();
    let dumps = async move {
        let dump = handle.dump();
        assert!(dump.tree(only(&dump)).is_empty());
        assert_eq!(only(&dump).lifecycle, Lifecycle::Idle);
        go.send(()).unwrap();
    };
    runtime.block_on(async {
        let task = runtime.spawn_local(dumps);
        gone.await.unwrap();
        task.await.unwrap();
    });
    let dump = runtime.block_on(async { runtime.dump() });
    assert!(
        dump.block_on_futures().is_empty(),
        "the future was ready at once"
    );
}

#[test]
fn nested_futures_are_both_in_a_dump() {
    let runtime = runtime();
    let (go, gone) = oneshot::channel();
    let (handle, inner) = (runtime.handle().clone(), runtime.spawn(async {}));
    let thread = visit(runtime.handle(), move || async move {
        volt::task::yield_now().await;
        block_in_place(|| handle.block_on(serve(gone, inner)));
    });
    let dump = dump_with_tree(runtime.handle());
    let states = dump
        .block_on_futures()
        .iter()
        .map(|future| future.lifecycle);
    assert_eq!(
        states.collect::<Vec<_>>(),
        [Lifecycle::Running, Lifecycle::Idle]
    );
    go.send(()).unwrap();
    thread.join().unwrap();
}

#[test]
fn future_outlives_its_runtime() {
    let runtime = runtime();
    let (go, done) = oneshot::channel();
    let (inspected_by, _inspections) = channel();
    let handle = runtime.handle().clone();
    let local = || Local {
        name: "page".into(),
        inspected_by,
        done,
    };
    let thread = visit(&handle, local);
    let dumps = {
        let handle = handle.clone();
        thread::spawn(move || drop(dump_with_tree(&handle)))
    };
    drop(runtime);
    dumps.join().unwrap();
    drop(dump_with_tree(&handle));
    go.send(()).unwrap();
    thread.join().unwrap();
}

/// A future whose inspection runs a closure.
struct Inspected(Box<dyn FnMut() + Send>, oneshot::Receiver<()>);

impl Future for Inspected {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        register::<Self>();
        Pin::new(&mut self.1).poll(cx).map(|done| done.unwrap())
    }
}

impl Inspect for Inspected {
    fn inspect(mut self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        (self.0)();
        inspector.node(&Node::new("Inspected"), |_| ());
    }
}

registrable!(Inspected);

#[test]
fn panic_of_an_inspection_stays_in_it() {
    let runtime = runtime();
    let (go, done) = oneshot::channel();
    let panics = Arc::new(AtomicBool::new(false));
    let panicked = Arc::clone(&panics);
    let thread = visit(runtime.handle(), move || {
        let inspect = move || {
            panicked.store(true, SeqCst);
            panic!("the inspection panics");
        };
        Inspected(Box::new(inspect), done)
    });
    let dump = dump_until(runtime.handle(), |_| panics.load(SeqCst));
    assert!(dump.tree(only(&dump)).is_empty());
    go.send(()).unwrap();
    thread.join().unwrap();
}

#[test]
fn dump_inside_an_inspection_waits_for_nothing() {
    let runtime = runtime();
    let (go, done) = oneshot::channel();
    let handle = runtime.handle().clone();
    let thread = visit(runtime.handle(), move || {
        let inspect = move || {
            let dump = handle.dump();
            assert!(dump.tree(only(&dump)).is_empty());
        };
        Inspected(Box::new(inspect), done)
    });
    let dump = dump_with_tree(runtime.handle());
    assert_eq!(dump.tree(only(&dump))[0].place.name, "Inspected");
    go.send(()).unwrap();
    thread.join().unwrap();
}

#[test]
fn dumps_run_beside_short_calls() {
    let runtime = runtime();
    let is_over = Arc::new(AtomicBool::new(false));
    let (handle, over) = (runtime.handle().clone(), Arc::clone(&is_over));
    let dumps = thread::spawn(move || {
        let mut dumps = 0;
        while !over.load(SeqCst) {
            dumps += usize::from(!handle.dump().to_string().is_empty());
        }
        dumps
    });
    let rounds = if cfg!(miri) { 5 } else { 200 };
    for _ in 0..rounds {
        let task = runtime.spawn(async { volt::task::yield_now().await });
        runtime.block_on(task).unwrap();
    }
    is_over.store(true, SeqCst);
    dumps.join().unwrap();
    assert!(runtime.dump().block_on_futures().is_empty());
}
