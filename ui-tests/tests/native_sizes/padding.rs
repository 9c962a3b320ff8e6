//! Arguments that end with padding. The compiler's future has its tag there.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

async fn plain(words: &mut u64, number: u32) -> u32 {
    *words += 1;
    number
}

#[volt::state_machine(native)]
async fn machine(words: &mut u64, number: u32) -> u32 {
    *words += 1;
    number
}

async fn aligned(flag: bool, text: &str, last: [u8; 3]) -> usize {
    usize::from(flag) + text.len() + last.len()
}

#[volt::state_machine(native)]
async fn aligned_machine(flag: bool, text: &str, last: [u8; 3]) -> usize {
    usize::from(flag) + text.len() + last.len()
}

async fn last(flag: bool, text: &str) -> usize {
    usize::from(flag) + text.len()
}

#[volt::state_machine(native)]
async fn last_machine(flag: bool, text: &str) -> usize {
    usize::from(flag) + text.len()
}

/// Functions with type parameters that do not await: plain, and as machines.
macro_rules! without_awaits {
    ([$($attr:tt)*] $module:ident $Counter:ident) => {
        mod $module {
            use std::fmt::Display;

            pub(super) struct $Counter(pub(super) u64);

            $($attr)*
            pub(super) async fn changes<T: Into<u32>>(words: &mut u64, number: T) -> u32 {
                *words += 1;
                assert!(*words > 0, "{words}");
                number.into()
            }

            $($attr)*
            pub(super) async fn shows(flag: bool, words: &u64, number: impl Into<u16>) -> usize {
                format!("{flag} {words} {}", number.into()).len()
            }

            $($attr)*
            pub(super) async fn returns(words: &u64, flag: bool) -> impl Display + use<> {
                if flag { *words } else { 0 }
            }

            $($attr)*
            pub(super) async fn patterns<const N: usize>(
                (mut first, second): ([u8; N], u64),
                flag: bool,
            ) -> u64 {
                first[0] += u8::from(flag);
                second + u64::from(first[0])
            }

            $($attr)*
            impl $Counter {
                pub(super) async fn by_type<T: Into<u32>>(words: &mut Self, number: T) -> u32 {
                    words.0 += 1;
                    number.into()
                }
            }
        }
    };
}

without_awaits! { [] compiled Counter }
without_awaits! { [#[volt::state_machine(native)]] machines Machines }

/// Polls a future once, which is ready then.
fn ready<F: Future>(future: F) -> F::Output {
    let mut cx = Context::from_waker(Waker::noop());
    match pin!(future).poll(&mut cx) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future does not await"),
    }
}

#[test]
fn tag_is_in_the_padding_of_the_arguments() {
    let [mut one, mut two] = [0; 2];
    let (expected, found) = (plain(&mut one, 1), machine(&mut two, 1));
    assert_eq!(size_of_val(&found), size_of_val(&expected));
    let text = "ab";
    let (expected, found) = (
        aligned(true, text, [3; 3]),
        aligned_machine(true, text, [3; 3]),
    );
    assert_eq!(size_of_val(&found), size_of_val(&expected));
    assert_eq!(ready(found), 6);
    let (expected, found) = (last(true, text), last_machine(true, text));
    assert_eq!(size_of_val(&found), size_of_val(&expected));
    assert_eq!(ready(found), 3);
}

#[test]
fn tag_is_in_the_padding_of_generic_arguments() {
    let [mut one, mut two] = [0; 2];
    let found = machines::changes(&mut two, 1_u32);
    let expected = size_of_val(&compiled::changes(&mut one, 1_u32));
    assert_eq!(size_of_val(&found), expected);
    assert_eq!(ready(found), 1);
    let found = machines::shows(true, &two, 7_u16);
    let expected = size_of_val(&compiled::shows(true, &one, 7_u16));
    assert_eq!(size_of_val(&found), expected);
    assert_eq!(ready(found), 8);
    let found = machines::returns(&two, true);
    let expected = size_of_val(&compiled::returns(&one, true));
    assert_eq!(size_of_val(&found), expected);
    assert_eq!(ready(found).to_string(), "1");
    let found = machines::patterns(([1, 2, 3], 4), true);
    let expected = size_of_val(&compiled::patterns(([1, 2, 3], 4), true));
    assert_eq!(size_of_val(&found), expected);
    assert_eq!(ready(found), 6);
    let (mut one, mut two) = (compiled::Counter(1), machines::Machines(1));
    let found = machines::Machines::by_type(&mut two, 5_u32);
    let expected = size_of_val(&compiled::Counter::by_type(&mut one, 5_u32));
    assert_eq!(size_of_val(&found), expected);
    assert_eq!(ready(found), 5);
}
