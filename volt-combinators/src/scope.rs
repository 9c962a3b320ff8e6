//! Children that borrow, inside of the task that awaits them.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::vec::Vec;

use pin_project_lite::pin_project;

use crate::composing::{BoxFuture, FutureExt};
use crate::future_group::FutureGroup;
use crate::loom::sync::{Arc, Mutex};

/// Runs a body whose children may borrow what outlives the scope, and waits for all of them.
///
/// `body` gets a [`Scope`], by which it and its children spawn. Nothing is spawned on a runtime:
/// the children run inside of the task that awaits the scope, concurrently and not in parallel.
///
/// ```
/// use volt_combinators::scope;
///
/// # futures::executor::block_on(async {
/// let words = vec![String::from("to"), String::from("share")];
/// let (mut short, mut long) = (0, 0);
/// scope(|s| {
///     let (short, long, words) = (&mut short, &mut long, &words);
///     async move {
///         s.spawn(async move { *short = words[0].len() });
///         s.spawn(async move { *long = words[1].len() });
///     }
/// })
/// .await;
/// assert_eq!((short, long, words.len()), (2, 5, 2));
/// # });
/// ```
///
/// # Panics
///
/// A panic of the body or of a child passes through; the others are dropped with the scope.
///
/// # Cancel safety
///
/// Dropping the scope drops the body, then the children, there and then.
pub fn scope<'env, B, F>(body: F) -> ScopeFuture<'env, B::IntoFuture>
where
    F: FnOnce(Scope<'env>) -> B,
    B: IntoFuture,
{
    let inbox = Arc::new(Mutex::new(Inbox {
        new: Vec::new(),
        waker: None,
        is_closed: false,
    }));
    let scope = Scope {
        inbox: inbox.clone(),
    };
    ScopeFuture {
        body: Some(body(scope).into_future()),
        output: None,
        children: FutureGroup::new(),
        inbox,
    }
}

/// Spawns children into a [`scope`].
pub struct Scope<'env> {
    inbox: Arc<Mutex<Inbox<'env>>>,
}

/// Children on their way into the scope.
struct Inbox<'env> {
    new: Vec<BoxFuture<'env, ()>>,
    waker: Option<Waker>,
    is_closed: bool,
}

impl<'env> Scope<'env> {
    /// Spawns a child. What is returned waits for its output, and may be dropped.
    ///
    /// # Panics
    ///
    /// Panics if the scope has ended.
    pub fn spawn<I>(&self, future: I) -> Scoped<I::Output>
    where
        I: IntoFuture<IntoFuture: Send + 'env, Output: Send + 'env>,
    {
        let desk = Arc::new(Mutex::new(Desk::Waiting(None)));
        let end = desk.clone();
        let child = future.into_future().map(move |output| leave(&end, output));
        let mut inbox = self.inbox.lock();
        assert!(!inbox.is_closed, "the scope of this handle has ended");
        inbox.new.push(child.boxed());
        let waker = inbox.waker.take();
        drop(inbox);
        if let Some(waker) = waker {
            waker.wake();
        }
        Scoped { desk }
    }
}

impl Clone for Scope<'_> {
    fn clone(&self) -> Self {
        Self {
            inbox: self.inbox.clone(),
        }
    }
}

/// Where a child leaves its output.
enum Desk<T> {
    Waiting(Option<Waker>),
    Left(T),
    Taken,
}

fn leave<T>(desk: &Mutex<Desk<T>>, output: T) {
    let before = std::mem::replace(&mut *desk.lock(), Desk::Left(output));
    if let Desk::Waiting(Some(waker)) = before {
        waker.wake();
    }
}

/// The output of a child of a [`scope`]. Made by [`Scope::spawn`].
///
/// # Panics
///
/// Panics if it is polled after completion. If the child panicked, or the scope was dropped, it
/// stays pending.
#[must_use = "a child runs without it, but its output is lost"]
pub struct Scoped<T> {
    desk: Arc<Mutex<Desk<T>>>,
}

impl<T> Future for Scoped<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        let mut desk = self.desk.lock();
        match std::mem::replace(&mut *desk, Desk::Taken) {
            Desk::Left(output) => Poll::Ready(output),
            Desk::Taken => panic!("`Scoped` polled after completion"),
            Desk::Waiting(mut waker) => {
                match &mut waker {
                    Some(waker) => waker.clone_from(cx.waker()),
                    none => *none = Some(cx.waker().clone()),
                }
                *desk = Desk::Waiting(waker);
                Poll::Pending
            }
        }
    }
}

pin_project! {
    /// A body and its children. Made by [`scope`].
    #[must_use = "futures do nothing unless polled"]
    pub struct ScopeFuture<'env, B: Future> {
        #[pin]
        body: Option<B>,
        output: Option<B::Output>,
        children: FutureGroup<BoxFuture<'env, ()>>,
        inbox: Arc<Mutex<Inbox<'env>>>,
    }
}

impl<B: Future> Future for ScopeFuture<'_, B> {
    type Output = B::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<B::Output> {
        let mut this = self.project();
        if let Some(body) = this.body.as_mut().as_pin_mut()
            && let Poll::Ready(output) = body.poll(cx)
        {
            this.body.set(None);
            *this.output = Some(output);
        }
        if !run(this.children, this.inbox, this.output.is_some(), cx) {
            return Poll::Pending;
        }
        let output = this.output.take();
        Poll::Ready(output.expect("`ScopeFuture` polled after completion"))
    }
}

/// Polls the children as long as one is done or new ones come. Returns whether all are over.
fn run<'env>(
    children: &mut FutureGroup<BoxFuture<'env, ()>>,
    inbox: &Mutex<Inbox<'env>>,
    may_close: bool,
    cx: &mut Context<'_>,
) -> bool {
    loop {
        let new = std::mem::take(&mut inbox.lock().new);
        let has_new = !new.is_empty();
        children.extend(new);
        match children.poll_next(cx) {
            Poll::Ready(Some(_)) => continue,
            Poll::Pending if has_new => continue,
            _ => {}
        }
        let mut inbox = inbox.lock();
        if !inbox.new.is_empty() {
            continue;
        }
        if may_close && children.is_empty() {
            inbox.is_closed = true;
            return true;
        }
        let old = inbox.waker.replace(cx.waker().clone());
        drop(inbox);
        drop(old);
        return false;
    }
}

impl fmt::Debug for Scope<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for Scoped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match *self.desk.lock() {
            Desk::Waiting(_) => "Waiting",
            Desk::Left(_) => "Done",
            Desk::Taken => "Taken",
        };
        write!(f, "Scoped({state})")
    }
}

impl<B: Future> fmt::Debug for ScopeFuture<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScopeFuture")
            .field(
                "body",
                &if self.body.is_some() {
                    "Running"
                } else {
                    "Done"
                },
            )
            .field("children", &self.children)
            .finish()
    }
}
