//! The function whose layout the book draws.
//!
//! It is compiled twice: with the attribute as a part of the program that draws, and by rustc
//! alone with the feature `plain`, without the attribute. rustc then prints the layout.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// The data of a page.
pub(crate) struct Page(pub(crate) [u8; 64]);

/// The value of the first await.
pub(crate) struct Key(pub(crate) u64);

/// A sum that is computed between two awaits.
pub(crate) struct Check(pub(crate) u64);

/// The value of the second await.
pub(crate) struct Place(pub(crate) u64);

/// A future that is ready at its second poll, and has some bytes.
pub(crate) struct Leaf<const N: usize> {
    is_polled: bool,
    pub(crate) bytes: [u8; N],
}

/// A leaf of so many bytes.
pub(crate) fn leaf<const N: usize>() -> Leaf<N> {
    Leaf {
        is_polled: false,
        bytes: [0; N],
    }
}

impl<const N: usize> Future for Leaf<N> {
    type Output = u64;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u64> {
        #[cfg(not(feature = "plain"))]
        crate::layout::record("awaited future", &*self);
        cx.waker().wake_by_ref();
        if std::mem::replace(&mut self.is_polled, true) {
            Poll::Ready(u64::from(self.bytes[0]))
        } else {
            Poll::Pending
        }
    }
}

fn sum(page: &Page) -> u64 {
    page.0.iter().map(|byte| u64::from(*byte)).sum()
}

#[cfg_attr(not(feature = "plain"), volt::state_machine)]
pub(crate) async fn store(page: Page) -> u64 {
    let key = Key(leaf::<15>().await);
    let check: Check = Check(sum(&page));
    let place = Place(leaf::<31>().await);
    let written = leaf::<47>().await;
    key.0 + check.0 + place.0 + written
}

/// Keeps the plain function in use.
#[cfg(feature = "plain")]
pub fn keep() -> impl Future<Output = u64> {
    store(Page([0; 64]))
}
