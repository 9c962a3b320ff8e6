//! Private generic functions with references, in each layout, that a closure calls for a list of
//! futures. The future of the list has to be `Send`.

use std::borrow::Cow;
use std::future::{Future, Ready, ready};
use std::marker::PhantomData;
use std::pin::Pin;
use std::slice::Iter;
use std::task::{Context, Poll};

use super::recursive_copies::all;

/// Futures in any order, and their outputs.
struct Group<F: Future> {
    waiting: Vec<Pin<Box<F>>>,
    done: Vec<F::Output>,
}

impl<F: Future> Unpin for Group<F> {}

impl<F: Future> Future for Group<F> {
    type Output = Vec<F::Output>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { waiting, done } = &mut *self;
        waiting.retain_mut(|future| match future.as_mut().poll(cx) {
            Poll::Ready(output) => {
                done.push(output);
                false
            }
            Poll::Pending => true,
        });
        if waiting.is_empty() {
            Poll::Ready(std::mem::take(done))
        } else {
            Poll::Pending
        }
    }
}

fn group<F: Future>(futures: impl Iterator<Item = F>) -> Group<F> {
    let waiting = futures.map(Box::pin).collect();
    let done = Vec::new();
    Group { waiting, done }
}

fn is_send<F: Future + Send>(future: F) -> F {
    future
}

/// Declares the functions once for each layout.
macro_rules! layouts {
    ($($layout:ident [$($option:tt)*] $(, $coroutine:tt)?;)*) => { $(
        mod $layout {
            use super::*;

            struct List<T>(Vec<T>);

            struct Hold<T: 'static>(T);

            struct Pair<'a, 'b: 'a, T> {
                one: &'a T,
                other: &'b T,
            }

            struct View<'a, T>(&'a [T]);

            trait Named<'a> {
                fn name(&self) -> &'a str;
            }

            struct Letter;

            impl<'a> Named<'a> for Letter {
                fn name(&self) -> &'a str {
                    "a"
                }
            }

            struct Name<'a, S: Named<'a>>(S, PhantomData<&'a ()>);

            trait Serve {
                type Answer;

                fn answer(&self) -> Self::Answer;
            }

            impl Serve for List<u32> {
                type Answer = u32;

                fn answer(&self) -> u32 {
                    self.0[0]
                }
            }

            trait Ask<R> {
                type Answer;
            }

            impl Ask<u8> for u32 {
                type Answer = u16;
            }

            trait Last {
                type Item;

                async fn last(&self, turn: Ready<()>) -> Self::Item;
            }

            #[volt::state_machine($($option)*)]
            impl<T: Clone + Into<u32>> List<T> {
                async fn first(&self, turn: Ready<()>) -> T {
                    turn.await;
                    self.0[0].clone()
                }

                async fn add(&self, sum: &mut u32, turn: Ready<()>) -> u32 {
                    turn.await;
                    *sum += self.0[0].clone().into();
                    *sum
                }
            }

            #[volt::state_machine($($option)*)]
            impl<'a, T: Copy> View<'a, T> {
                async fn longest(&self, other: &[T], turn: Ready<()>) -> &'a [T] {
                    turn.await;
                    assert!(self.0.len() > other.len());
                    self.0
                }
            }

            #[volt::state_machine($($option)*)]
            impl<T: Clone> Last for List<T> {
                type Item = T;

                async fn last(&self, turn: Ready<()>) -> T {
                    turn.await;
                    self.0[self.0.len() - 1].clone()
                }
            }

            #[volt::state_machine($($option)*)]
            async fn sum<T: Copy + Into<u32>>(list: &List<T>, turn: Ready<()>) -> u32 {
                turn.await;
                list.0.iter().map(|&item| item.into()).sum()
            }

            #[volt::state_machine($($option)*)]
            async fn nested<'x, T: Copy + Into<u32>>(list: &'x List<T>) -> u32 {
                let inner: Sum<'x, T $(, $coroutine)?> = sum(list, ready(()));
                inner.await
            }

            #[volt::state_machine($($option)*)]
            async fn next<'a, T>(mut items: Iter<'a, T>, turn: Ready<()>) -> Option<&'a T> {
                turn.await;
                items.next()
            }

            #[volt::state_machine($($option)*)]
            async fn held<T: Copy>(hold: &Hold<T>, turn: Ready<()>) -> T {
                turn.await;
                hold.0
            }

            #[volt::state_machine($($option)*)]
            async fn rewrapped<T: Copy>(hold: &Hold<T>, turn: Ready<()>) -> Hold<T> {
                turn.await;
                Hold(hold.0)
            }

            #[volt::state_machine($($option)*)]
            async fn owned<T: Clone>(item: Cow<'static, T>, turn: Ready<()>) -> T {
                turn.await;
                item.into_owned()
            }

            #[volt::state_machine($($option)*)]
            async fn either<'a, 'b, T>(pair: Pair<'a, 'b, T>, one: bool, turn: Ready<()>) -> &'a T {
                turn.await;
                if one { pair.one } else { pair.other }
            }

            #[volt::state_machine($($option)*)]
            async fn part<'a, T, const N: usize>(list: &'a [List<T>; N], turn: Ready<()>) -> &'a [T] {
                let part: &'a List<T> = &list[0];
                turn.await;
                &part.0
            }

            /// Only the type of a local has a parameter among its arguments.
            #[volt::state_machine($($option)*)]
            async fn boxed<'a, T: Copy>(item: &'a T, turn: Ready<()>) -> T {
                let boxed: Box<&'a T> = Box::new(item);
                turn.await;
                **boxed
            }

            #[volt::state_machine($($option)*)]
            async fn mapped<T: Copy, U>(item: &T, map: Box<dyn Fn(T) -> U + Send>, turn: Ready<()>) -> U {
                turn.await;
                map(*item)
            }

            #[volt::state_machine($($option)*)]
            async fn named<'a, S: Named<'a>>(name: &Name<'a, S>, turn: Ready<()>) -> &'a str {
                turn.await;
                name.0.name()
            }

            #[volt::state_machine($($option)*)]
            async fn called(serve: &Option<impl Serve<Answer = u32>>, turn: Ready<()>) -> u32 {
                turn.await;
                serve.as_ref().map_or(0, Serve::answer)
            }

            /// The projection has no name in the default of a parameter.
            #[volt::state_machine($($option)*)]
            async fn asked<S: Ask<R>, R>(
                list: &List<S>,
                answer: Option<S::Answer>,
                turn: Ready<()>,
            ) -> Option<S::Answer> {
                turn.await;
                assert_eq!(list.0.len(), 1);
                answer
            }

            #[volt::state_machine($($option)*)]
            async fn answered<S: Serve>(serve: &Option<S>, turn: Ready<()>) -> Option<S::Answer> {
                turn.await;
                serve.as_ref().map(S::answer)
            }

            async fn methods(lists: &[List<u32>], numbers: &mut [u32]) {
                assert_eq!(all(lists.iter().map(|list| list.first(ready(())))).await, 1);
                let added = lists.iter().zip(numbers);
                let added = added.map(|(list, number)| list.add(number, ready(())));
                assert_eq!(group(added).await, [3, 5]);
                let views = lists.iter().map(|list| View(&list.0)).collect::<Vec<_>>();
                let longest = views.iter().map(|view| view.longest(&[], ready(())));
                assert_eq!(group(longest).await, [&[1][..], &[2, 3]]);
                assert_eq!(group(lists.iter().map(|list| list.last(ready(())))).await, [1, 3]);
            }

            async fn functions(lists: &[List<u32>]) {
                assert_eq!(group(lists.iter().map(|list| sum(list, ready(())))).await, [1, 5]);
                assert_eq!(group(lists.iter().map(|list| nested(list))).await, [1, 5]);
                let next = lists.iter().map(|list| next(list.0.iter(), ready(())));
                assert_eq!(group(next).await, [Some(&1), Some(&2)]);
                let blocks = lists.iter().map(|list| async move { nested(list).await });
                assert_eq!(group(blocks).await, [1, 5]);
                let nested_list = async |list: &List<u32>| nested(list).await;
                assert_eq!(nested_list(&lists[1]).await, 5);
                let pairs = lists.iter().map(|list| {
                    let pair = Pair { one: &list.0[0], other: &lists[0].0[0] };
                    either(pair, false, ready(()))
                });
                assert_eq!(group(pairs).await, [&1, &1]);
            }

            async fn types(holds: &[Hold<u32>], parts: &[[List<u32>; 1]]) {
                assert_eq!(group(holds.iter().map(|hold| held(hold, ready(())))).await, [7]);
                assert_eq!(all(holds.iter().map(|hold| rewrapped(hold, ready(())))).await, 1);
                let items = holds.iter().map(|hold| owned(Cow::<u32>::Owned(hold.0), ready(())));
                assert_eq!(group(items).await, [7]);
                let parts = parts.iter().map(|list| part(list, ready(())));
                assert_eq!(group(parts).await, [&[4][..]]);
                let boxed = holds.iter().map(|hold| boxed(&hold.0, ready(())));
                assert_eq!(group(boxed).await, [7]);
                let mapped = holds.iter().map(|hold| mapped(&hold.0, Box::new(|it| it + 1), ready(())));
                assert_eq!(group(mapped).await, [8]);
            }

            async fn projections(lists: &[Option<List<u32>>]) {
                let answers = lists.iter().map(|list| answered(list, ready(())));
                assert_eq!(group(answers).await, [Some(1)]);
                let list = [List(vec![1_u32])];
                let asked = list.iter().map(|list| asked::<u32, u8>(list, Some(4), ready(())));
                assert_eq!(group(asked).await, [Some(4)]);
                let names = [Name(Letter, PhantomData)];
                let named = names.iter().map(|name| named(name, ready(())));
                assert_eq!(group(named).await, ["a"]);
                let answers = lists.iter().map(|list| called(list, ready(())));
                assert_eq!(group(answers).await, [1]);
            }

            #[test]
            fn machines_of_a_closure_are_send() {
                let lists = [List(vec![1]), List(vec![2, 3])];
                let mut numbers = [2, 3];
                volt::block_on(async {
                    is_send(methods(&lists, &mut numbers)).await;
                    is_send(functions(&lists)).await;
                    is_send(types(&[Hold(7)], &[[List(vec![4])]])).await;
                    is_send(projections(&[Some(List(vec![1]))])).await;
                });
                assert_eq!(numbers, [3, 5]);
            }
        }
    )* };
}

layouts! {
    chosen [];
    explicit [explicit];
    native [native], _;
}
