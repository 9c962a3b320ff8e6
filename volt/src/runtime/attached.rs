//! Futures of one runtime, polled by another.

use std::pin::Pin;
use std::task::{Context, Poll};

use pin_project_lite::pin_project;

use super::handle::Handle;

impl Handle {
    /// Has `future` find this runtime wherever it is polled: timers, sockets and
    /// [`spawn`](crate::spawn) look for their runtime on the thread that polls them.
    ///
    /// So what needs volt runs as a task of tokio, of smol, or of another runtime of volt. The thread
    /// enters the runtime for each poll, and for the drop of the future if it is dropped before it is
    /// ready. It costs an allocation of some ten bytes a poll.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let runtime = volt::Runtime::new()?;
    /// let nap = runtime.handle().attach(async {
    ///     volt::time::sleep(Duration::from_millis(1)).await;
    ///     "rested"
    /// });
    /// // An executor that knows nothing of volt.
    /// assert_eq!(futures_lite::future::block_on(nap), "rested");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn attach<F: IntoFuture>(&self, future: F) -> Attached<F::IntoFuture> {
        Attached {
            handle: self.clone(),
            future: Some(future.into_future()),
        }
    }
}

pin_project! {
    /// A future that is in a runtime wherever it is polled, see [`Handle::attach`].
    #[derive(Debug)]
    #[must_use = "futures do nothing unless polled"]
    pub struct Attached<F> {
        handle: Handle,
        // There until it is ready, or dropped.
        #[pin]
        future: Option<F>,
    }

    impl<F> PinnedDrop for Attached<F> {
        fn drop(this: Pin<&mut Self>) {
            let mut this = this.project();
            let _entered = this.handle.enter();
            this.future.set(None);
        }
    }
}

impl<F: Future> Future for Attached<F> {
    type Output = F::Output;

    /// # Panics
    ///
    /// When it is polled again after it was ready.
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let mut this = self.project();
        let _entered = this.handle.enter();
        let future = this.future.as_mut().as_pin_mut();
        let polled = future
            .expect("`Attached` was polled after it was ready")
            .poll(cx);
        if polled.is_ready() {
            this.future.set(None);
        }
        polled
    }
}
