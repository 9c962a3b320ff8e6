//! Macros of the user that have the name of a macro of `std`, and crates named by functions.

#![allow(
    clippy::redundant_pub_crate,
    reason = "a macro is imported by its path"
)]

use std::future::ready;

/// Evaluates its argument and awaits it, which no macro of `std` does.
macro_rules! assert {
    ($value:expr) => {
        if !$value.await {
            return 100;
        }
    };
}

macro_rules! println {
    ($value:ident) => {
        drop($value)
    };
}

macro_rules! panic {
    () => {
        ready(7).await
    };
}

#[volt::state_machine]
async fn checked(is_valid: bool, text: String) -> usize {
    assert!(ready(is_valid));
    let length = ready(text.len()).await;
    println!(text);
    length + panic!()
}

#[volt::state_machine(native)]
async fn checked_native(is_valid: bool, text: String) -> usize {
    assert!(ready(is_valid));
    let length = ready(text.len()).await;
    println!(text);
    length + panic!()
}

mod imported {
    mod own {
        macro_rules! taken {
            ($value:expr, $_pattern:pat) => {{
                let value = $value;
                value.len() == 3
            }};
        }
        macro_rules! listed {
            ($($value:expr),*) => {
                [$($value.await),*]
            };
        }
        pub(crate) use {listed as vec, taken as matches};
    }

    use own::matches;
    use std::future::ready;

    #[volt::state_machine]
    pub(super) async fn has_three_letters(text: String) -> bool {
        let is = matches!(text, _);
        ready(is).await
    }

    #[volt::state_machine]
    pub(super) async fn sum_of_list(number: u32) -> u32 {
        use own::vec;
        let list = vec![ready(number), ready(2)];
        ready(list.iter().sum()).await
    }
}

#[test]
fn own_macro_hides_the_macro_of_std() {
    assert_eq!(volt::block_on(checked(true, "abc".to_owned())), 10);
    assert_eq!(volt::block_on(checked(false, "abc".to_owned())), 100);
    assert_eq!(volt::block_on(checked_native(true, "abc".to_owned())), 10);
}

#[test]
fn imported_macro_hides_the_macro_of_std() {
    use imported::{has_three_letters, sum_of_list};
    let has = |text: &str| u32::from(volt::block_on(has_three_letters(text.to_owned())));
    assert_eq!((has("abc"), has("ab")), (1, 0));
    assert_eq!(volt::block_on(sum_of_list(1)), 3);
}

#[rustfmt::skip]
mod in_one_line { #[volt::state_machine] pub(super) async fn tracing(n: u32) -> u32 { tracing::info!("{n}"); std::future::ready(n).await } }

#[test]
fn module_in_one_line_shows_its_paths() {
    assert_eq!(volt::block_on(in_one_line::tracing(3)), 3);
}
