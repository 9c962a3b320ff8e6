//! A machine is `Send`, `Sync` and `Unpin` as far as what it holds is.
#![deny(warnings)]

use std::future::Ready;
use std::marker::{PhantomData, PhantomPinned};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

#[volt::state_machine]
async fn holds<T>(value: T, first: Ready<u8>) -> T {
    first.await;
    value
}

#[volt::state_machine]
async fn waits<F: Future<Output = ()>>(future: F) {
    future.await;
}

struct Stuck(PhantomPinned);

impl Future for Stuck {
    type Output = ();
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        let _ = self.0;
        Poll::Ready(())
    }
}

/// Tells whether a concrete type has an auto trait: the inherent constant wins if it has.
struct Ask<T>(PhantomData<T>);

trait No {
    const SEND: bool = false;
    const UNPIN: bool = false;
}
impl<T> No for T {}

#[allow(dead_code, reason = "the trait's constant wins for some")]
impl<T: Send> Ask<T> {
    const SEND: bool = true;
}
#[allow(dead_code, reason = "the trait's constant wins for some")]
impl<T: Unpin> Ask<T> {
    const UNPIN: bool = true;
}

fn main() {
    assert!(<Ask<Holds<u8>>>::SEND);
    assert!(!<Ask<Holds<Rc<u8>>>>::SEND);
    assert!(<Ask<Waits<Ready<()>>>>::UNPIN);
    assert!(!<Ask<Waits<Stuck>>>::UNPIN);
    let _ = (Ask::<u8>(PhantomData).0, waits(Stuck(PhantomPinned)), holds(1, std::future::ready(1)));
}
