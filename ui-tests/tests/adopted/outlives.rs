//! Types with bounds between their parameters, and associated functions that name no value of the
//! type.

use crate::{run, turn};

struct Reader<'s, T>(&'s T);

#[volt::state_machine]
impl<'s, T> Reader<'s, T> {
    async fn length(text: &str) -> usize {
        turn().await;
        text.len()
    }

    async fn sum<U: Copy + Into<u64>>(first: &'s u64, others: &[U]) -> u64 {
        turn().await;
        others.iter().fold(*first, |sum, &other| sum + other.into())
    }

    async fn read(&self, text: &str, kept: &'s str) -> (usize, &T) {
        turn().await;
        (text.len() + kept.len(), self.0)
    }
}

struct Unnamed<'s, T>(&'s T);

#[volt::state_machine]
impl<T> Unnamed<'_, T> {
    async fn length(text: &str) -> usize {
        turn().await;
        text.len()
    }
}

#[test]
fn parameter_satisfies_outlives_bound_of_impl() {
    assert_eq!(run(Reader::<u8>::length("four")), 4);
    assert_eq!(run(Reader::<u8>::sum(&1, &[2_u8, 3])), 6);
    assert_eq!(run(Reader(&'a').read("four", "two")), (7, &'a'));
    assert_eq!(run(Unnamed::<u8>::length("four")), 4);
    let _ = Unnamed(&3).0;
}
