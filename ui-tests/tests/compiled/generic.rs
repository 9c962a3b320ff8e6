//! Functions with type parameters whose types are written: their machines have fields with types,
//! and no parameter besides those of the function.

use std::cell::Cell;
use std::future::{Ready, poll_fn, ready};
use std::marker::PhantomPinned;
use std::rc::Rc;
use std::task::{Context, Poll};

use volt::machine::{Layout, StateMachine};
use volt::task::yield_now;

use super::run::{cancel_after, run};

/// A service as others have it.
trait Service<Request> {
    type Answer;
    type Error;
    type Future: Future<Output = Result<Self::Answer, Self::Error>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>>;
    fn call(&mut self, request: Request) -> Self::Future;
}

/// Fails so many times.
struct Flaky(u32, Rc<Cell<u32>>);

impl Drop for Flaky {
    fn drop(&mut self) {
        self.1.set(self.1.get() + 1);
    }
}

impl Service<u32> for Flaky {
    type Answer = u32;
    type Error = String;
    type Future = Ready<Result<u32, String>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), String>> {
        if self.0.is_multiple_of(2) {
            self.0 = self.0.saturating_sub(1);
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: u32) -> Self::Future {
        let failed = self.0 > 1;
        self.0 = self.0.saturating_sub(1);
        ready(if failed {
            Err("again".into())
        } else {
            Ok(request)
        })
    }
}

#[volt::state_machine]
async fn permitted<S, Request>(permit: Rc<()>, answer: S::Future) -> Result<S::Answer, S::Error>
where
    S: Service<Request>,
{
    let result: Result<S::Answer, S::Error> = answer.await;
    drop(permit);
    result
}

#[volt::state_machine(explicit)]
async fn attempts<S, Request>(
    first: S::Future,
    mut service: S,
    request: Request,
    mut left: u32,
) -> Result<S::Answer, S::Error>
where
    S: Service<Request>,
    Request: Clone,
{
    let mut attempt: S::Future = first;
    loop {
        let result: Result<S::Answer, S::Error> = attempt.await;
        if result.is_ok() || left == 0 {
            return result;
        }
        drop(result);
        yield_now().await;
        left -= 1;
        poll_fn(|cx| service.poll_ready(cx)).await?;
        attempt = service.call(request.clone());
    }
}

#[volt::state_machine]
async fn of_any<'a, F: Future<Output = usize>, T: AsRef<str> + ?Sized>(
    text: &'a T,
    future: F,
) -> usize {
    let more: usize = future.await;
    more + text.as_ref().len()
}

#[volt::state_machine]
impl<S: Service<u32>> Client<S> {
    async fn asked(mut self, answer: S::Future) -> Option<S::Answer> {
        let answer: Result<S::Answer, S::Error> = answer.await;
        drop(self.0.call(1));
        answer.ok()
    }
}

struct Client<S>(S);

trait Number {
    fn number(self) -> u64;
}

impl Number for u8 {
    fn number(self) -> u64 {
        self.into()
    }
}

impl Number for Rc<u8> {
    fn number(self) -> u64 {
        (*self).into()
    }
}

#[volt::state_machine]
async fn in_array<T: Clone + Number, const N: usize>(items: [T; N], wait: Ready<u64>) -> u64 {
    let mut sum: u64 = wait.await;
    for item in items {
        sum += item.number();
    }
    sum
}

#[test]
fn machine_has_the_parameters_of_its_function_alone() {
    let drops = Rc::new(Cell::new(0));
    let machine: Permitted<Flaky, u32> = permitted(Rc::new(()), ready(Ok(3)));
    assert_eq!(run(machine).0, Ok(3));
    assert_eq!(Permitted::<Flaky, u32>::LAYOUT, Layout::Explicit);
    let mut flaky = Flaky(9, Rc::clone(&drops));
    let first = flaky.call(7);
    let machine: Attempts<Flaky, u32> = attempts(first, flaky, 7, 20);
    assert_eq!(run(machine).0, Ok(7));
    assert_eq!(drops.get(), 1);
    assert_eq!(Attempts::<Flaky, u32>::LAYOUT, Layout::Explicit);
    assert!(Some(size_of::<Attempts<Flaky, u32>>()) <= Attempts::<Flaky, u32>::NATIVE_SIZE);
    assert_eq!(run(of_any("four", ready(3))).0, 7);
    assert_eq!(
        OfAny::<'static, Ready<usize>, str>::LAYOUT,
        Layout::Explicit
    );
    let client = Client(Flaky(1, Rc::clone(&drops)));
    assert_eq!(run(client.asked(ready(Ok(5)))).0, Some(5));
    assert_eq!(ClientAsked::<Flaky>::LAYOUT, Layout::Explicit);
    assert_eq!(run(in_array([1_u8, 2, 3], ready(4))).0, 10);
    assert_eq!(InArray::<u8, 3>::LAYOUT, Layout::Explicit);
}

#[test]
fn cancellation_drops_each_stored_value_once() {
    for polls in 0..8 {
        let drops = Rc::new(Cell::new(0));
        let mut flaky = Flaky(9, Rc::clone(&drops));
        let first = flaky.call(7);
        cancel_after(polls, attempts(first, flaky, 7, 20));
        assert_eq!(drops.get(), 1);
    }
}

struct Ask<T>(std::marker::PhantomData<T>);

trait No {
    const SEND: bool = false;
    const UNPIN: bool = false;
}

impl<T> No for Ask<T> {}

impl<T: Send> Ask<T> {
    const SEND: bool = true;
}

struct AskUnpin<T>(std::marker::PhantomData<T>);

impl<T> No for AskUnpin<T> {}

impl<T: Unpin> AskUnpin<T> {
    const UNPIN: bool = true;
}

struct Stuck(PhantomPinned);

impl Future for Stuck {
    type Output = usize;

    fn poll(self: std::pin::Pin<&mut Self>, _: &mut Context<'_>) -> Poll<usize> {
        Poll::Ready(size_of_val(&self.0))
    }
}

#[test]
fn machine_has_the_auto_traits_of_its_fields() {
    const { assert!(Ask::<OfAny<'static, Ready<usize>, str>>::SEND) };
    const { assert!(!Ask::<InArray<Rc<u8>, 3>>::SEND) };
    const { assert!(AskUnpin::<OfAny<'static, Ready<usize>, str>>::UNPIN) };
    const { assert!(!AskUnpin::<OfAny<'static, Stuck, str>>::UNPIN) };
    assert_eq!(run(of_any("four", Stuck(PhantomPinned))).0, 4);
}
