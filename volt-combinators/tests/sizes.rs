//! Sizes, auto traits and allocations.
#![cfg(feature = "std")]

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::future::{Future, Ready, ready};
use std::marker::PhantomPinned;
use std::pin::{Pin, pin};
use std::ptr;
use std::rc::Rc;
use std::task::{Context, Poll, RawWaker, RawWakerVTable, Waker};

use support::poll;
use volt_combinators::{
    AndThen, BoxFuture, CatchUnwind, Child, Compose, Fuse, FutureExt, FutureGroup, FuturesExt,
    Group, GroupError, Inspect, Join, Lazy, Map, MapErr, MapOk, OrElse, Race, RaceOk, Scope,
    Scoped, Select, Settle, StaticWakeSet, TaskError, Then, TryJoin,
};

/// Counts the allocations and reallocations of a thread. Shrinking is not counted.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: forwards to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: forwarded contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: forwarded contract.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > layout.size() {
            ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        }
        // SAFETY: forwarded contract.
        unsafe { System.realloc(ptr, layout, size) }
    }
}

#[global_allocator]
static GLOBAL: Counting = Counting;

/// A waker whose clones return `true` from `will_wake`, as those of a task's waker do. A vtable in
/// a constant, as that of `Waker::noop()` or of an `Arc`, need not have one address. A set would
/// then store a waker that it already has.
static PARENT: Waker = {
    // SAFETY: the functions do nothing, on any thread.
    unsafe { Waker::new(ptr::null(), &NOTHING) }
};

static NOTHING: RawWakerVTable =
    RawWakerVTable::new(|data| RawWaker::new(data, &NOTHING), drop, drop, drop);

fn allocations<T>(run: impl FnOnce() -> T) -> (usize, T) {
    let before = ALLOCATIONS.get();
    let result = run();
    (ALLOCATIONS.get() - before, result)
}

/// 16 bytes without a niche; pending once.
struct Plain(u64, u64);

impl Future for Plain {
    type Output = u64;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u64> {
        if self.1 > 0 {
            return Poll::Ready(self.0);
        }
        self.1 += 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

fn plain(n: usize) -> Plain {
    Plain(n as u64, 0)
}

fn run<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = poll(future.as_mut(), &PARENT) {
            return output;
        }
    }
}

#[test]
fn one_or_two_children_allocate_nothing() {
    assert_eq!(
        allocations(|| run((plain(1), plain(2)).join())),
        (0, (1, 2))
    );
    assert_eq!(allocations(|| run([plain(1), plain(2)].race())), (0, 1));
}

#[test]
fn fixed_rows_allocate_once() {
    assert_eq!(
        allocations(|| run((plain(1), plain(2), plain(3)).join())),
        (1, (1, 2, 3))
    );
    let children = std::array::from_fn::<_, 200, _>(plain);
    assert_eq!(allocations(|| run(children.join())).0, 1);
}

#[test]
fn vecs_allocate_twice() {
    let most = if cfg!(miri) { 600 } else { 10_000 };
    for len in [3, 600, most] {
        let children: Vec<_> = (0..len).map(plain).collect();
        assert_eq!(allocations(|| run(children.join())).0, 2, "{len} children");
        let children: Vec<_> = (0..len).map(plain).collect();
        assert_eq!(allocations(|| run(children.race())).0, 2, "{len} children");
    }
}

/// As [`Plain`], but its output is of another alignment than its place.
struct Byte(Plain);

impl Future for Byte {
    type Output = u8;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u8> {
        Pin::new(&mut self.0).poll(cx).map(|n| n as u8)
    }
}

#[test]
fn outputs_of_odd_size_take_a_third_allocation() {
    let children = || (0..100).map(|n| Byte(plain(n))).collect::<Vec<_>>();
    let (joined, raced) = (children(), children());
    assert_eq!(allocations(|| run(joined.join())).0, 3);
    assert_eq!(allocations(|| run(raced.race())).0, 2);
}

#[test]
fn joins_are_small() {
    assert_eq!(size_of::<Plain>(), 16);
    assert!(
        size_of::<Join<[Plain; 8]>>() <= 216,
        "{}",
        size_of::<Join<[Plain; 8]>>()
    );
    type Eight = (Plain, Plain, Plain, Plain, Plain, Plain, Plain, Plain);
    assert!(size_of::<Join<Eight>>() <= 216);
    assert!(size_of::<Join<Vec<Plain>>>() <= 40);
}

/// Holds a reference, which is never null, and so has a value to spare.
struct Counted<'a>(&'a Cell<usize>, [u64; 2]);

impl Future for Counted<'_> {
    type Output = u64;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<u64> {
        self.0.update(|polls| polls + 1);
        Poll::Ready(self.1[0] + self.1[1])
    }
}

#[test]
fn futures_with_a_niche_become_slots_in_place() {
    let polls = Cell::new(0);
    assert!(size_of::<Join<[Counted<'_>; 8]>>() <= 8 * 24 + 24);
    let children: Vec<_> = (0..100).map(|n| Counted(&polls, [n, 0])).collect();
    let (allocated, outputs) = allocations(|| run(children.join()));
    assert_eq!(outputs, (0..100).collect::<Vec<_>>());
    assert_eq!((allocated, polls.get()), (0, 100));
}

#[test]
fn chains_are_as_large_as_their_larger_half() {
    let doubled = plain(1).map(|n| n * 2);
    assert_eq!(
        size_of_val(&doubled),
        size_of::<Compose<Map<Plain, fn()>>>() - 8
    );
    assert_eq!(size_of::<Compose<Plain>>(), size_of::<Plain>());
    let then = plain(1)
        .then(|n| plain(n as usize))
        .then(|n| plain(n as usize));
    assert!(size_of_val(&then) <= 40, "{}", size_of_val(&then));
    // The way it ended takes no further byte.
    assert_eq!(size_of::<Fuse<BoxFuture<'_, u8>>>(), 16);
    assert_eq!(size_of_val(&plain(1).inspect(|_| ())), 24);
    assert_eq!(size_of_val(&plain(1).boxed().map(|n| n)), 24);
}

#[test]
fn combinators_go_where_their_futures_go() {
    fn send_sync<T: Send + Sync>() {}
    fn unpin<T: Unpin>() {}
    type Row = Vec<Ready<Result<u8, u8>>>;
    send_sync::<Join<Row>>();
    send_sync::<TryJoin<Row>>();
    send_sync::<Settle<Row>>();
    send_sync::<Race<Row>>();
    send_sync::<Select<(Ready<u8>, Ready<u8>, Ready<u8>)>>();
    send_sync::<Map<Ready<u8>, fn()>>();
    send_sync::<Then<Ready<u8>, Ready<u8>, fn()>>();
    send_sync::<Group<u8, ()>>();
    send_sync::<Child<Ready<u8>>>();
    send_sync::<TaskError>();
    send_sync::<RaceOk<Row>>();
    send_sync::<FutureGroup<Ready<u8>>>();
    send_sync::<Scope<'_>>();
    send_sync::<Scoped<Cell<u8>>>();
    send_sync::<StaticWakeSet<1>>();
    send_sync::<Lazy<fn()>>();
    send_sync::<Fuse<Ready<u8>>>();
    send_sync::<Inspect<Ready<u8>, fn()>>();
    send_sync::<CatchUnwind<Ready<u8>>>();
    send_sync::<AndThen<Ready<u8>, Ready<u8>, fn()>>();
    send_sync::<OrElse<Ready<u8>, Ready<u8>, fn()>>();
    send_sync::<MapOk<Ready<u8>, fn()>>();
    send_sync::<MapErr<Ready<u8>, fn()>>();
    unpin::<FutureGroup<PinnedFuture>>();
    unpin::<Scoped<PhantomPinned>>();
    send_sync::<GroupError>();
    unpin::<Join<[Ready<u8>; 3]>>();
    unpin::<Join<Vec<PinnedFuture>>>();
    unpin::<Compose<Map<Ready<u8>, PhantomPinned>>>();
}

struct PinnedFuture(PhantomPinned);

impl Future for PinnedFuture {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        Poll::Ready(())
    }
}

/// Ambiguous, and so an error, for a type that has the trait.
macro_rules! is_not {
    ($T:ty: $Trait:path) => {{
        trait Ambiguous<A> {
            fn check() {}
        }
        impl<T: ?Sized> Ambiguous<()> for T {}
        impl<T: ?Sized + $Trait> Ambiguous<u8> for T {}
        <$T as Ambiguous<_>>::check();
    }};
}

#[test]
fn combinators_do_not_go_where_their_futures_do_not() {
    is_not!(Join<[Ready<Rc<u8>>; 3]>: Send);
    is_not!(Join<Vec<Ready<Rc<u8>>>>: Send);
    is_not!(FutureGroup<Ready<Rc<u8>>>: Send);
    is_not!(Scoped<Rc<u8>>: Send);
    is_not!(Join<[PinnedFuture; 3]>: Unpin);
    is_not!(Race<(PinnedFuture, PinnedFuture)>: Unpin);
    is_not!(Compose<Map<PinnedFuture, ()>>: Unpin);
}

/// The future stays in the same bytes until it is ready, because it may point into itself.
#[test]
fn children_never_move() {
    async fn pinned(n: usize) -> usize {
        let local = [n; 4];
        let borrowed = &local;
        plain(n).await;
        borrowed[3]
    }
    assert_eq!(
        run((0..100).map(pinned).collect::<Vec<_>>().join()),
        (0..100).collect::<Vec<_>>()
    );
    assert_eq!(run([pinned(1), pinned(2), pinned(3)].join()), [1, 2, 3]);
    assert_eq!(run((pinned(1), ready(2), pinned(3)).join()), (1, 2, 3));
}
