//! Joins and races of n children, ours beside our peers'.
//!
//! Children turn ready one at a time in a random order, the parent is polled after each; or all
//! are ready from the start. Prints medians of nanoseconds for the whole, from making the
//! combinator to its output.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::hint::black_box;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Instant;

use futures::StreamExt;
use volt_combinators::FuturesExt;

/// A parent's waker with a count, as tasks have.
struct Parent(AtomicUsize);

impl Wake for Parent {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// What one child waits for.
#[derive(Default)]
struct Gate {
    open: Cell<bool>,
    waker: RefCell<Option<Waker>>,
    polls: Cell<u32>,
}

impl Gate {
    fn open(&self) {
        self.open.set(true);
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

struct Child<'a>(&'a Gate, u64);

impl Future for Child<'_> {
    type Output = u64;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u64> {
        let gate = self.0;
        gate.polls.set(gate.polls.get() + 1);
        if gate.open.get() {
            return Poll::Ready(self.1);
        }
        let mut waker = gate.waker.borrow_mut();
        match &mut *waker {
            Some(waker) => waker.clone_from(cx.waker()),
            none => *none = Some(cx.waker().clone()),
        }
        Poll::Pending
    }
}

struct Setting {
    gates: Vec<Gate>,
    order: Vec<usize>,
    parent: Arc<Parent>,
    ready: bool,
}

impl Setting {
    fn new(len: usize, ready: bool) -> Self {
        let mut order: Vec<_> = (0..len).collect();
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for n in (1..len).rev() {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            order.swap(n, (state % (n as u64 + 1)) as usize);
        }
        Self {
            gates: (0..len).map(|_| Gate::default()).collect(),
            order,
            parent: Arc::new(Parent(AtomicUsize::new(0))),
            ready,
        }
    }

    fn reset(&self) {
        for gate in &self.gates {
            gate.open.set(self.ready);
            gate.waker.take();
            gate.polls.set(0);
        }
    }

    fn child(&self, n: usize) -> Child<'_> {
        Child(&self.gates[n], n as u64)
    }

    fn children(&self) -> impl Iterator<Item = Child<'_>> {
        (0..self.gates.len()).map(|n| self.child(n))
    }

    /// Polls while woken; then opens gates one by one until the future is ready.
    fn drive<F: Future>(&self, future: F) -> F::Output {
        let mut future = pin!(future);
        let waker = Waker::from(self.parent.clone());
        let mut cx = Context::from_waker(&waker);
        let mut order = self.order.iter();
        loop {
            let wakes = self.parent.0.load(Ordering::Relaxed);
            if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
                return output;
            }
            if self.parent.0.load(Ordering::Relaxed) == wakes {
                self.gates[*order.next().expect("all are open")].open();
            }
        }
    }

    fn polls(&self) -> f64 {
        let polls: u32 = self.gates.iter().map(|gate| gate.polls.get()).sum();
        f64::from(polls) / self.gates.len() as f64
    }
}

/// The median of many runs, in nanoseconds, and the polls a child.
fn measure(setting: &Setting, run: &dyn Fn(&Setting)) -> (f64, f64) {
    let inner = (2000 / setting.gates.len()).max(1);
    let mut samples: Vec<f64> = (0..41)
        .map(|_| {
            let mut spent = 0.0;
            for _ in 0..inner {
                setting.reset();
                let start = Instant::now();
                run(black_box(setting));
                spent += start.elapsed().as_nanos() as f64;
            }
            spent / inner as f64
        })
        .collect();
    samples.sort_by(f64::total_cmp);
    (samples[samples.len() / 2], setting.polls())
}

type Run = (&'static str, fn(&Setting));

const ANY: &[Run] = &[
    ("volt join_all", |s| {
        black_box(s.drive(volt_combinators::join_all(s.children())));
    }),
    ("futures join_all", |s| {
        black_box(s.drive(futures::future::join_all(s.children())));
    }),
    ("futures FuturesUnordered", |s| {
        let all: futures::stream::FuturesUnordered<_> = s.children().collect();
        black_box(s.drive(all.collect::<Vec<_>>()));
    }),
    ("futures-buffered join_all", |s| {
        black_box(s.drive(futures_buffered::join_all(s.children())));
    }),
    ("futures-concurrency Vec", |s| {
        use futures_concurrency::future::Join;
        black_box(s.drive(Join::join(s.children().collect::<Vec<_>>())));
    }),
    ("plain loop", |s| {
        if s.ready {
            let mut cx = Context::from_waker(Waker::noop());
            let outputs = s
                .children()
                .map(|mut child| Pin::new(&mut child).poll(&mut cx));
            black_box(outputs.collect::<Vec<_>>());
        }
    }),
];

const TWO: &[Run] = &[
    ("volt tuple", |s| {
        black_box(s.drive((s.child(0), s.child(1)).join()));
    }),
    ("tokio join!", |s| {
        black_box(s.drive(async { tokio::join!(s.child(0), s.child(1)) }));
    }),
    ("futures join", |s| {
        black_box(s.drive(futures::future::join(s.child(0), s.child(1))));
    }),
];

const EIGHT: &[Run] = &[
    ("volt array", |s| {
        black_box(s.drive(std::array::from_fn::<_, 8, _>(|n| s.child(n)).join()));
    }),
    ("volt tuple", |s| {
        let c = |n| s.child(n);
        black_box(s.drive((c(0), c(1), c(2), c(3), c(4), c(5), c(6), c(7)).join()));
    }),
    ("tokio join!", |s| {
        let c = |n| s.child(n);
        black_box(s.drive(async { tokio::join!(c(0), c(1), c(2), c(3), c(4), c(5), c(6), c(7)) }));
    }),
    ("futures-concurrency array", |s| {
        use futures_concurrency::future::Join;
        black_box(s.drive(Join::join(std::array::from_fn::<_, 8, _>(|n| s.child(n)))));
    }),
];

fn table(title: &str, len: usize, ready: bool, runs: &[Run]) {
    let setting = Setting::new(len, ready);
    for (name, run) in runs {
        if len > 2000 && *name == "futures-concurrency Vec" && !ready {
            continue;
        }
        let (nanos, polls) = measure(&setting, run);
        if polls > 0.0 {
            println!("{title:<12} {len:>6} {name:<28} {nanos:>12.0} ns {polls:>8.2} polls");
        }
    }
    println!();
}

fn main() {
    for ready in [false, true] {
        let title = if ready { "ready" } else { "one by one" };
        table(title, 2, ready, TWO);
        table(title, 8, ready, EIGHT);
        for len in [2, 8, 64, 1024, 10_000] {
            table(title, len, ready, ANY);
        }
    }
}
