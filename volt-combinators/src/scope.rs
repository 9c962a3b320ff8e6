//! Scopes: children that borrow, and run inside of the task that awaits them.

use alloc::boxed::Box;
use core::fmt;
use core::future::{Future, IntoFuture};
use core::num::NonZeroUsize;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;
use volt_inspect::{Inspector, Node, Registrable, register};

use crate::future_ext::FutureExt;
use crate::future_group::FutureGroup;
use crate::inbox::{Inbox, InboxReceiver, InboxSender};
use crate::loom::sync::Arc;
use crate::phase::Phase;
use crate::scoped::{Scoped, output_slot};
use crate::single::BoxFuture;

/// A child of a scope, whose type is erased.
type ChildFuture<'env> = BoxFuture<'env, ()>;

/// Runs a body whose children may borrow values that outlive the scope, and waits for all of them.
///
/// `body` receives a [`Scope`], with which it and its children spawn. No runtime is used: the
/// children run inside of the task that awaits the scope, concurrently and not in parallel. A poll
/// of the scope polls each child at most once, and only if it was woken or is new.
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
/// A panic of the body or of a child passes through. The others are dropped with the scope, which
/// panics if it is polled again.
///
/// # Cancel safety
///
/// Dropping the scope drops the body, then the children, before `drop` returns.
pub fn scope<'env, B, F>(body: F) -> ScopeFuture<'env, B::IntoFuture>
where
    F: FnOnce(Scope<'env>) -> B,
    B: IntoFuture,
{
    let inbox = Arc::new(Inbox::new());
    let scope = Scope {
        inbox: InboxSender::new(inbox.clone()),
    };
    register::<ScopeFuture<'env, B::IntoFuture>>();
    ScopeFuture {
        body: Some(body(scope).into_future()),
        output: None,
        children: FutureGroup::new(),
        inbox: InboxReceiver::new(inbox),
        phase: Phase::Running,
    }
}

/// Spawns children into a [`scope`].
pub struct Scope<'env> {
    inbox: InboxSender<ChildFuture<'env>>,
}

impl<'env> Scope<'env> {
    /// Spawns a child. The returned future waits for its output, and may be dropped.
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
        let (sender, scoped) = output_slot();
        register::<ChildFuture<'env>>();
        let child = future.into_future().map(move |output| sender.send(output));
        if self.inbox.send(Box::pin(child)).is_err() {
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
    /// The future of a body and its children. Returned by [`scope`].
    #[must_use = "futures do nothing unless polled"]
    pub struct ScopeFuture<'env, B: Future> {
        #[pin]
        body: Option<B>,
        output: Option<B::Output>,
        children: FutureGroup<ChildFuture<'env>>,
        // Dropped last: until then children can be spawned.
        inbox: InboxReceiver<ChildFuture<'env>>,
        phase: Phase,
    }
}

impl<B: Future> ScopeFuture<'_, B> {
    /// Sets the number of children that run at a time, without the body. The others wait unpolled,
    /// in the order in which they were spawned.
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

    /// Returns `true` if it must not be polled again: it has returned the output of the body, or
    /// panicked.
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

impl<B: Future> volt_inspect::Inspect for ScopeFuture<'_, B> {
    /// Reports the body, then the children.
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        let mut this = self.project();
        inspector.node(&Node::new("Scope"), |inspector| {
            if let Some(body) = this.body.as_mut().as_pin_mut() {
                inspector.future(body);
            }
            Pin::new(this.children).inspect(inspector);
        });
    }
}

// SAFETY: the implementation has only the bounds of the type itself.
unsafe impl<B: Future> Registrable for ScopeFuture<'_, B> {}

/// Polls the woken children, and those that the body has just spawned. Returns `true` if all have
/// completed.
///
/// Each child is polled at most once, so that children that spawn and wake repeatedly do not keep
/// the task.
fn run<F: Future<Output = ()>>(
    children: &mut FutureGroup<F>,
    inbox: &InboxReceiver<F>,
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
