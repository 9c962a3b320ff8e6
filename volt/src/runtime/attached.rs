//! `Handle::attach`: futures of this runtime that another executor polls.

use std::pin::Pin;
use std::task::{Context, Poll};

use pin_project_lite::pin_project;
use volt_inspect::{Inspect, Inspector, Node, Status, register, registrable};

use super::handle::Handle;
use crate::task::with_some_budget;

impl Handle {
    /// Wraps `future` so that it uses this runtime on any thread and under any executor.
    ///
    /// Timers, sockets and [`spawn`](crate::spawn) use the runtime that the polling thread is in.
    /// So the wrapper [enters](Self::enter) this runtime for each poll, and for the drop of an
    /// unfinished future. Futures that need volt can then run as tasks of tokio, of smol, or of
    /// another runtime of volt. Each poll costs an allocation of less than 100 bytes.
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
    /// // An executor that is independent of volt.
    /// assert_eq!(futures_lite::future::block_on(nap), "rested");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn attach<F: IntoFuture>(&self, future: F) -> Attached<F::IntoFuture> {
        register::<Attached<F::IntoFuture>>();
        Attached {
            handle: self.clone(),
            future: Some(future.into_future()),
        }
    }
}

pin_project! {
    /// The future of [`Handle::attach`].
    #[derive(Debug)]
    #[must_use = "futures do nothing unless polled"]
    pub struct Attached<F> {
        handle: Handle,
        // `None` after it was ready or dropped.
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

impl<F> Inspect for Attached<F> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        let future = self.project().future.as_pin_mut();
        let status = match future {
            Some(_) => Status::Waiting,
            None => Status::Done,
        };
        inspector.node(&Node::new("Attached").status(status), |inspector| {
            if let Some(future) = future {
                inspector.future(future);
            }
        });
    }
}

registrable!(Attached<F>);

impl<F: Future> Future for Attached<F> {
    type Output = F::Output;

    /// # Panics
    ///
    /// Panics if it is polled after it was ready.
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let mut this = self.project();
        let _entered = this.handle.enter();
        let future = this.future.as_mut().as_pin_mut();
        let future = future.expect("`Attached` was polled after it was ready");
        let polled = with_some_budget(|| future.poll(cx));
        if polled.is_ready() {
            this.future.set(None);
        }
        polled
    }
}
