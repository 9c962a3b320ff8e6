//! Children that borrow, inside of the task that awaits them.

use alloc::boxed::Box;
use core::fmt;
use core::future::{Future, IntoFuture};
use core::num::NonZeroUsize;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;

use crate::composing::{BoxFuture, FutureExt};
use crate::future_group::FutureGroup;
use crate::inbox::{Inbox, InboxEnd, InboxHandle};
use crate::loom::sync::Arc;
use crate::phase::Phase;
use crate::scoped::{Scoped, output_slot};

/// Runs a body whose children may borrow what outlives the scope, and waits for all of them.
///
/// `body` gets a [`Scope`], by which it and its children spawn. Nothing is spawned on a runtime:
/// the children run inside of the task that awaits the scope, concurrently and not in parallel. A
/// poll of the scope polls each child once at most, and only if it was woken or is new.
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
/// A panic of the body or of a child passes through; the others are dropped with the scope, which
/// panics when it is polled again.
///
/// # Cancel safety
///
/// Dropping the scope drops the body, then the children, there and then.
pub fn scope<'env, B, F>(body: F) -> ScopeFuture<'env, B::IntoFuture>
where
    F: FnOnce(Scope<'env>) -> B,
    B: IntoFuture,
{
    let inbox = Arc::new(Inbox::new());
    let scope = Scope {
        inbox: InboxHandle::new(inbox.clone()),
    };
    ScopeFuture {
        body: Some(body(scope).into_future()),
        output: None,
        children: FutureGroup::new(),
        inbox: InboxEnd::new(inbox),
        phase: Phase::Running,
    }
}

/// Spawns children into a [`scope`].
pub struct Scope<'env> {
    inbox: InboxHandle<BoxFuture<'env, ()>>,
}

impl<'env> Scope<'env> {
    /// Spawns a child. What is returned waits for its output, and may be dropped.
    ///
    /// ```
    /// # futures::executor::block_on(async {
    /// let words = ["to", "share"];
    /// let sum = volt_combinators::scope(|s| async move {
    ///     let again = s.clone();
    ///     let first = s.spawn(async move { again.spawn(async { 1 }).await + 1 });
    ///     let second = s.spawn(async move { words.len() });
    ///     first.await + second.await
    /// });
    /// assert_eq!(sum.await, 4);
    /// # });
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the scope has ended.
    pub fn spawn<I>(&self, future: I) -> Scoped<I::Output>
    where
        I: IntoFuture<IntoFuture: Send + 'env, Output: Send + 'env>,
    {
        let (end, scoped) = output_slot();
        let child = future.into_future().map(move |output| end.leave(output));
        if self.inbox.put(Box::pin(child)).is_err() {
            panic!("the scope of this handle has ended");
        }
        scoped
    }
}

impl Clone for Scope<'_> {
    fn clone(&self) -> Self {
        Self {
            inbox: self.inbox.clone(),
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
        // Goes last: until then children can be spawned.
        inbox: InboxEnd<BoxFuture<'env, ()>>,
        phase: Phase,
    }
}

impl<B: Future> ScopeFuture<'_, B> {
    /// Sets how many children run at a time, the body not counted; the others wait, in the order
    /// in which they were spawned, unpolled.
    ///
    /// ```
    /// use core::num::NonZeroUsize;
    /// use volt_combinators::scope;
    ///
    /// # futures::executor::block_on(async {
    /// let two = NonZeroUsize::new(2).unwrap();
    /// scope(|s| async move {
    ///     for page in ["a", "b", "c"] {
    ///         s.spawn(async move { assert_eq!(page.len(), 1) });
    ///     }
    /// })
    /// .limit(two)
    /// .await;
    /// # });
    /// ```
    pub fn limit(mut self, limit: NonZeroUsize) -> Self {
        self.children = self.children.limit(limit);
        self
    }

    /// Whether it must not be polled again: it has returned the body's output, or panicked.
    pub fn is_terminated(&self) -> bool {
        self.phase.is_over()
    }
}

impl<B: Future> Future for ScopeFuture<'_, B> {
    type Output = B::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<B::Output> {
        let mut this = self.project();
        this.phase.enter("ScopeFuture");
        if let Some(body) = this.body.as_mut().as_pin_mut()
            && let Poll::Ready(output) = body.poll(cx)
        {
            this.body.set(None);
            *this.output = Some(output);
        }
        if !run(this.children, this.inbox, this.output.is_some(), cx) {
            this.phase.pause();
            return Poll::Pending;
        }
        this.phase.finish();
        let output = this.output.take();
        Poll::Ready(output.expect("the body has ended"))
    }
}

/// Gives the children a turn, and those that the body spawned just now. Returns whether all are
/// over.
///
/// Each has one turn at most, so that those who spawn and wake all the time leave the task too.
fn run<F: Future<Output = ()>>(
    children: &mut FutureGroup<F>,
    inbox: &InboxEnd<F>,
    may_close: bool,
    cx: &mut Context<'_>,
) -> bool {
    children.extend(inbox.take());
    if children.run(cx) && may_close && inbox.try_close() {
        children.release();
        return true;
    }
    if !inbox.is_empty_for(cx.waker()) {
        cx.waker().wake_by_ref();
    }
    false
}

impl fmt::Debug for Scope<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").finish_non_exhaustive()
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
