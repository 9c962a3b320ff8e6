//! The errors of failed children.
#![cfg(feature = "std")]

mod support;

use std::error::Error;
use std::future::{Future, pending};
use std::panic::panic_any;

use futures::executor::block_on;
use support::{Threads, panic_text, panics};
use volt_combinators::{Group, Policy, TaskError};

fn failure(child: impl Future<Output = u8> + Send + 'static) -> TaskError {
    let mut group = Group::new(Threads).policy(Policy::Supervise);
    group.spawn(child);
    let (_, outcome) = block_on(group.next()).unwrap();
    assert!(group.is_empty());
    outcome.unwrap_err()
}

#[test]
fn panic_keeps_its_payload() {
    let TaskError::Panicked(panic) = failure(async { panic_any(String::from("owned")) }) else {
        unreachable!("it was not cancelled");
    };
    assert_eq!(format!("{panic:?}"), r#"Panic(Some("owned"))"#);
    assert_eq!(panic_text(panic.into_payload()), "owned");
    let TaskError::Panicked(panic) = failure(async { panic!("again") }) else {
        unreachable!("it was not cancelled");
    };
    assert_eq!(panics(|| -> () { panic.resume() }), "again");
}

#[test]
fn errors_describe_the_failures() {
    fn text(error: &dyn Error) -> String {
        error.to_string()
    }
    assert_eq!(text(&failure(async { panic!("no") })), "child panicked: no");
    assert_eq!(text(&failure(async { panic_any(7) })), "child panicked");
    let mut group = Group::<u8, _>::new(Threads).policy(Policy::Supervise);
    assert!(group.is_empty(), "no children, no results");
    group.spawn(pending());
    assert!(!group.is_empty());
    group.cancel();
    let errors = block_on(group.wait()).unwrap_err();
    assert_eq!(text(&errors.errors()[0].1), "child was cancelled");
    assert_eq!(text(&errors), "0 children panicked, 1 was cancelled");
}
