//! Methods of traits as state machines, and their reports.
#![forbid(unsafe_code)]

use std::future::{Future, IntoFuture, Ready, ready};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use volt::machine::StateMachine;

fn finish<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    match future
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
    {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("nothing to wait for"),
    }
}

struct Request {
    id: u32,
}

#[volt::state_machine]
impl IntoFuture for Request {
    type Output = String;
    type IntoFuture = RequestIntoFuture;

    async fn into_future(self) -> Self::Output {
        let first: Ready<u32> = ready(self.id);
        let id: u32 = first.await;
        format!("{id} and {}", self.id)
    }
}

#[test]
fn trait_may_name_the_machine_as_its_future() {
    assert_eq!(finish(Request { id: 7 }.into_future()), "7 and 7");
    assert_eq!(RequestIntoFuture::NAME, "RequestIntoFuture");
    let locals = RequestIntoFuture::STATES[1].locals;
    assert_eq!(locals[0].name, "self");
}

trait Handle<R> {
    type Response;
    type Future<'a>: Future<Output = Self::Response>
    where
        Self: 'a;

    fn handle(&mut self, request: R) -> Self::Future<'_>;
}

struct Counter<S> {
    seen: u32,
    service: S,
}

#[volt::state_machine]
impl<R, S> Handle<R> for Counter<S>
where
    S: Fn(R) -> Ready<u32>,
{
    type Response = (u32, u32);
    type Future<'a>
        = CounterHandle<'a, R, S>
    where
        S: 'a;

    async fn handle(&mut self, request: R) -> Self::Response {
        self.seen += 1;
        let response: Ready<u32> = (self.service)(request);
        let value: u32 = response.await;
        (self.seen, value)
    }
}

#[test]
fn future_of_a_trait_may_borrow_the_receiver() {
    let mut counter = Counter {
        seen: 0,
        service: |n: u8| ready(u32::from(n) + 1),
    };
    assert_eq!(finish(counter.handle(4)), (1, 5));
    assert_eq!(finish(counter.handle(5)), (2, 6));
}

trait Climb {
    async fn step(&mut self, by: u32) -> u32;
    async fn steps(&mut self) -> u32;
    async fn top(self) -> u32;
}

struct Ladder<T>(u32, T);

#[volt::state_machine]
impl<T: Clone> Climb for Ladder<T> {
    async fn step(&mut self, by: u32) -> u32 {
        let by: Ready<u32> = ready(by);
        self.0 += by.await;
        self.0
    }

    async fn steps(&mut self) -> u32 {
        self.step(1).await * 100 + Self::step(self, 2).await
    }

    async fn top(mut self) -> u32 {
        self.steps().await + self.step(4).await
    }
}

#[test]
fn methods_of_one_impl_of_a_trait_find_each_other() {
    assert_eq!(finish(Ladder(0, "a").top()), 100 + 3 + 7);
}

trait Put {
    async fn put(&mut self, value: impl Into<String>) -> usize;
    async fn put_all(&mut self, values: impl IntoIterator<Item = u32>, more: &str) -> usize;
    async fn count(&self, names: impl IntoIterator<Item = impl AsRef<str>>) -> usize;
}

struct Shelf(Vec<String>);

#[volt::state_machine]
impl Put for Shelf {
    async fn put(&mut self, value: impl Into<String>) -> usize {
        ready(()).await;
        self.0.push(value.into());
        self.0.len()
    }

    async fn put_all(&mut self, values: impl IntoIterator<Item = u32>, more: &str) -> usize {
        for value in values {
            self.put(value.to_string()).await;
        }
        self.put(more).await
    }

    async fn count(&self, names: impl IntoIterator<Item = impl AsRef<str>>) -> usize {
        let mut found = 0;
        for name in names {
            ready(()).await;
            found += usize::from(self.0.iter().any(|kept| kept == name.as_ref()));
        }
        found
    }
}

#[test]
fn arguments_without_a_named_type_stay_so_in_a_trait() {
    let mut shelf = Shelf(Vec::new());
    assert_eq!(finish(shelf.put("one")), 1);
    assert_eq!(finish(shelf.put_all([2, 3], "four")), 4);
    assert_eq!(shelf.0, ["one", "2", "3", "four"]);
    assert_eq!(finish(shelf.count(["3", "5"])), 1);
}

macro_rules! as_it_is {
    ($($text:tt)*) => {
        $($text)*
    };
}

struct Outer(u32);

trait Sum {
    async fn sum(&self) -> u32;
    async fn two() -> u32;
}

#[volt::state_machine]
impl Sum for Outer {
    async fn two() -> u32 {
        as_it_is! {
            struct Inner(u32);
            impl Inner {
                fn get(&self) -> u32 {
                    self.0
                }
            }
            ready(Inner(2).get()).await
        }
    }

    async fn sum(&self) -> u32 {
        as_it_is!({
            struct Inner(u32);
            impl Inner {
                const TWO: Self = Self(2);
                fn get(&self) -> u32 {
                    self.0
                }
            }
            ready(()).await;
            Inner(self.0).get() + Inner::TWO.get()
        })
    }
}

#[test]
fn items_in_a_macro_have_a_self_of_their_own() {
    assert_eq!(finish(Outer(40).sum()), 42);
    assert_eq!(finish(Outer::two()), 2);
}

trait Load {
    async fn load(&self, more: &str) -> usize;

    fn twice(&self) -> usize;
}

#[volt::state_machine]
impl Load for Request {
    #[state_machine(name = Loading)]
    async fn load(&self, more: &str) -> usize {
        let first: Ready<u32> = ready(self.id);
        first.await as usize + more.len() + Self::twice(self)
    }

    fn twice(&self) -> usize {
        self.id as usize * 2
    }
}

#[test]
fn native_async_method_of_a_trait_may_be_a_machine() {
    let request = Request { id: 3 };
    assert_eq!(finish(request.load("ab")), 3 + 2 + 6);
    assert_eq!(Loading::<'_, '_>::NAME, "Loading");
}

#[allow(unreachable_pub, reason = "what is public must not leak what is not")]
mod inner {
    use std::future::{Ready, ready};

    #[derive(Debug)]
    pub struct Public {
        pub left: u32,
    }

    #[derive(Debug, PartialEq)]
    pub(super) struct Private(pub(super) u32);

    #[volt::state_machine]
    impl Public {
        /// Takes one away.
        async fn step(&mut self) -> Private {
            let one: Ready<u32> = ready(1);
            self.left -= one.await;
            Private(self.left)
        }

        async fn made(left: u32) -> Private {
            let left: Ready<u32> = ready(left);
            Private(left.await)
        }

        pub async fn steps(&mut self) -> u32 {
            let first: Private = self.step().await;
            let second: Private = Self::step(self).await;
            let third: Private = Self::made(second.0).await;
            first.0 + third.0
        }

        #[state_machine(skip)]
        pub async fn native(&mut self) -> u32 {
            self.steps().await
        }
    }

    #[volt::state_machine]
    pub async fn from_outside(public: &mut Public) -> u32 {
        public.steps().await
    }
}

#[test]
fn private_method_may_return_a_private_type() {
    let mut public = inner::Public { left: 9 };
    assert_eq!(finish(public.steps()), 15);
    assert_eq!(finish(inner::from_outside(&mut public)), 11);
    assert_eq!(finish(public.native()), 7);
}

#[volt::state_machine]
async fn calls(public: &mut inner::Public, mut own: inner::Public) -> u32 {
    let theirs: u32 = public.steps().await;
    let ours: u32 = own.steps().await;
    theirs + ours + own.left
}

#[test]
fn method_is_found_by_the_type_of_its_receiver() {
    let mut public = inner::Public { left: 9 };
    let own = inner::Public { left: 5 };
    assert_eq!(finish(calls(&mut public, own)), 15 + 7 + 3);
}

#[volt::state_machine]
impl Load for Vec<u8> {
    async fn load(&self, more: &str) -> usize {
        let length: Ready<usize> = ready(self.len());
        length.await + more.len() + self.twice()
    }

    fn twice(&self) -> usize {
        self.len() * 2
    }
}

trait Show<'n> {
    async fn show(&self, name: &str) -> String;
    async fn longer(&self, name: &'n str) -> &str;
}

#[volt::state_machine]
impl<'n, T> Show<'n> for T
where
    T: AsRef<str>,
{
    async fn show(&self, name: &str) -> String {
        let text: Ready<String> = ready(self.as_ref().to_owned());
        text.await + name
    }

    async fn longer(&self, name: &'n str) -> &str {
        let length: Ready<usize> = ready(name.len());
        let length: usize = length.await;
        &self.as_ref()[length..]
    }
}

#[test]
fn foreign_and_blanket_types_may_have_trait_machines() {
    assert_eq!(finish(vec![1_u8].load("ab")), 1 + 2 + 2);
    assert_eq!(finish("left".show("right")), "leftright");
    assert_eq!(finish("left".longer("ri")), "ft");
}

struct Name<'n>(&'n str);

#[volt::state_machine]
impl Name<'_> {
    async fn length(&self) -> usize {
        let length: Ready<usize> = ready(self.0.len());
        length.await
    }

    async fn twice(self) -> usize {
        self.length().await * 2
    }
}

#[test]
fn lifetimes_of_the_type_may_be_left_out() {
    assert_eq!(finish(Name("four").length()), 4);
    assert_eq!(finish(Name("four").twice()), 8);
}

#[volt::state_machine]
async fn through_pointers(shared: Arc<Name<'static>>, mut own: Box<inner::Public>) -> u32 {
    let length: usize = shared.length().await;
    own.steps().await + u32::try_from(length).unwrap()
}

#[volt::state_machine]
async fn through_a_pin(mut own: Pin<Box<inner::Public>>, lent: &Rc<Name<'static>>) -> u32 {
    let length: usize = lent.length().await;
    own.steps().await + u32::try_from(length).unwrap()
}

#[test]
fn method_is_found_behind_a_pointer() {
    let own = || inner::Public { left: 9 };
    let shared = Arc::new(Name("four"));
    assert_eq!(finish(through_pointers(shared, Box::new(own()))), 15 + 4);
    let shared = Rc::new(Name("four"));
    assert_eq!(finish(through_a_pin(Box::pin(own()), &shared)), 15 + 4);
}
