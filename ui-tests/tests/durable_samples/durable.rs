//! Futures that can be stored: timers, messages, children, and combinations of them.

use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::world;

#[derive(Debug, PartialEq, Clone, Serialize, Deserialize)]
pub(super) struct Failure(pub(super) String);

pub(super) type Result<T> = std::result::Result<T, Failure>;

pub(super) fn failure(text: impl Into<String>) -> Failure {
    Failure(text.into())
}

pub(super) const fn minutes(count: u64) -> Duration {
    Duration::from_secs(count * 60)
}

pub(super) const fn hours(count: u64) -> Duration {
    minutes(count * 60)
}

pub(super) const fn days(count: u64) -> Duration {
    hours(count * 24)
}

/// Waits until a time of the world's clock.
#[derive(Serialize, Deserialize)]
pub(super) struct Sleep {
    until: u64,
}

pub(super) fn sleep(duration: Duration) -> Sleep {
    sleep_until(world::now() + duration.as_secs())
}

pub(super) fn sleep_until(until: u64) -> Sleep {
    Sleep { until }
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if world::now() >= self.until {
            return Poll::Ready(());
        }
        world::wait_until(self.until, cx.waker());
        Poll::Pending
    }
}

/// Waits for a message.
#[derive(Serialize, Deserialize)]
pub(super) struct Signal<T> {
    name: String,
    #[serde(skip)]
    value: PhantomData<fn() -> T>,
}

pub(super) fn signal<T>(name: &str) -> Signal<T> {
    let name = name.to_owned();
    Signal {
        name,
        value: PhantomData,
    }
}

impl<T: DeserializeOwned> Future for Signal<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        world::wait(cx.waker());
        world::receive(&self.name).map_or(Poll::Pending, Poll::Ready)
    }
}

/// A future of an own, as a child workflow.
pub(super) struct Child<F>(Pin<Box<F>>);

pub(super) fn child<F: Future>(future: F) -> Child<F> {
    Child(Box::pin(future))
}

impl<F: Serialize> Serialize for Child<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        Pin::get_ref(self.0.as_ref()).serialize(serializer)
    }
}

impl<'de, F: Deserialize<'de>> Deserialize<'de> for Child<F> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        F::deserialize(deserializer).map(|future| Self(Box::pin(future)))
    }
}

impl<F: Future> Future for Child<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        self.0.as_mut().poll(cx)
    }
}

/// Waits for a future until a time.
#[derive(Serialize, Deserialize)]
pub(super) struct Timeout<F> {
    sleep: Sleep,
    future: Child<F>,
}

/// `None` if the future is not ready in time.
pub(super) fn timeout<F: Future>(duration: Duration, future: F) -> Timeout<F> {
    Timeout {
        sleep: sleep(duration),
        future: child(future),
    }
}

impl<F: Future> Future for Timeout<F> {
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if let Poll::Ready(output) = Pin::new(&mut self.future).poll(cx) {
            return Poll::Ready(Some(output));
        }
        Pin::new(&mut self.sleep).poll(cx).map(|()| None)
    }
}

#[derive(Serialize, Deserialize)]
pub(super) enum Either<L, R> {
    Left(L),
    Right(R),
}

/// Waits for the first of two futures, and returns the other one too.
#[derive(Serialize, Deserialize)]
pub(super) struct Select<A, B>(Option<(Child<A>, Child<B>)>);

pub(super) fn select<A: Future, B: Future>(one: A, other: B) -> Select<A, B> {
    Select(Some((child(one), child(other))))
}

impl<A: Future, B: Future> Future for Select<A, B> {
    type Output = Either<(A::Output, Child<B>), (B::Output, Child<A>)>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let (mut one, mut other) = self.0.take().expect("not ready yet");
        if let Poll::Ready(output) = Pin::new(&mut one).poll(cx) {
            return Poll::Ready(Either::Left((output, other)));
        }
        if let Poll::Ready(output) = Pin::new(&mut other).poll(cx) {
            return Poll::Ready(Either::Right((output, one)));
        }
        self.0 = Some((one, other));
        Poll::Pending
    }
}

/// Waits for the first of several futures, and returns the others too.
#[derive(Serialize, Deserialize)]
pub(super) struct SelectAll<F>(Vec<Child<F>>);

pub(super) fn select_all<F: Future>(futures: Vec<Child<F>>) -> SelectAll<F> {
    SelectAll(futures)
}

impl<F: Future> Future for SelectAll<F> {
    type Output = (F::Output, Vec<Child<F>>);

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        for index in 0..self.0.len() {
            if let Poll::Ready(output) = Pin::new(&mut self.0[index]).poll(cx) {
                let mut others = std::mem::take(&mut self.0);
                drop(others.remove(index));
                return Poll::Ready((output, others));
            }
        }
        Poll::Pending
    }
}

#[derive(Serialize, Deserialize)]
enum Entry<F, T> {
    Waiting(Child<F>),
    Done(T),
}

/// Waits for all futures.
#[derive(Serialize, Deserialize)]
#[serde(bound(
    serialize = "F: Serialize, F::Output: Serialize",
    deserialize = "F: Deserialize<'de>, F::Output: Deserialize<'de>"
))]
pub(super) struct JoinAll<F: Future>(Vec<Entry<F, F::Output>>);

pub(super) fn join_all<F: Future>(futures: impl IntoIterator<Item = F>) -> JoinAll<F> {
    let entries = futures
        .into_iter()
        .map(|future| Entry::Waiting(child(future)));
    JoinAll(entries.collect())
}

impl<F: Future> JoinAll<F> {
    /// Polls what is waiting. Returns `true` if all are done.
    fn advance(&mut self, cx: &mut Context<'_>) -> bool {
        let mut is_ready = true;
        for entry in &mut self.0 {
            if let Entry::Waiting(future) = entry {
                match Pin::new(future).poll(cx) {
                    Poll::Ready(output) => *entry = Entry::Done(output),
                    Poll::Pending => is_ready = false,
                }
            }
        }
        is_ready
    }

    fn outputs(&mut self) -> Vec<F::Output> {
        let entries = std::mem::take(&mut self.0).into_iter();
        let outputs = entries.filter_map(|entry| match entry {
            Entry::Done(output) => Some(output),
            Entry::Waiting(_) => None,
        });
        outputs.collect()
    }
}

impl<F: Future> Future for JoinAll<F>
where
    F::Output: Unpin,
{
    type Output = Vec<F::Output>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if self.advance(cx) {
            Poll::Ready(self.outputs())
        } else {
            Poll::Pending
        }
    }
}

/// The wait of an activity, which cannot be stored.
pub(super) struct Yield(bool);

impl Future for Yield {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, false) {
            world::wait(cx.waker());
            world::progress();
            return Poll::Pending;
        }
        Poll::Ready(())
    }
}

pub(super) fn yield_now() -> Yield {
    Yield(true)
}

/// Activities: functions with an effect, which wait before and after it.
macro_rules! activities {
    ($(fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $out:ty)? $body:block)*) => {
        $(async fn $name($($arg: $type),*) $(-> $out)? {
            super::durable::yield_now().await;
            let body = || $(-> $out)? { $body };
            let result = body();
            super::durable::yield_now().await;
            result
        })*
    };
}
pub(super) use activities;

/// `Err` if the activity fails in this world.
pub(super) fn attempt(name: &str) -> Result<()> {
    if world::is_failing(name) {
        return Err(failure(format!("{name} failed")));
    }
    Ok(())
}
