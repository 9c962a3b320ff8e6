//! How many wakers futures may keep.
#![cfg(all(feature = "std", unix, target_has_atomic = "64"))]

use std::env;
use std::future::{Future, poll_fn};
use std::mem;
use std::pin::pin;
use std::process::Command;
use std::task::{Context, Poll, Waker};
use std::thread;

use volt_combinators::FuturesExt;

const ENOUGH: usize = 2_500_000;
const TOO_MANY: usize = 4_000_000;
const IN_POLL: &str = "wakers cloned in the poll";
const ELSEWHERE: &str = "wakers cloned elsewhere";

fn keep(waker: &Waker, clones: usize) {
    (0..clones).for_each(|_| mem::forget(waker.clone()));
}

/// A child of a join that keeps wakers until the program ends.
fn keep_too_many(keep: impl Fn(&Waker, usize)) {
    let greedy = |_| {
        poll_fn(|cx| {
            keep(cx.waker(), ENOUGH);
            eprintln!("enough");
            keep(cx.waker(), TOO_MANY - ENOUGH);
            Poll::<()>::Pending
        })
    };
    let mut joined = pin!([0, 1, 2].map(greedy).join());
    _ = joined
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()));
}

#[test]
#[cfg_attr(miri, ignore = "starts a program")]
fn wakers_beyond_the_limit_abort_the_program() {
    const WHICH: &str = "KEEP_TOO_MANY";
    match env::var(WHICH).as_deref() {
        Ok(IN_POLL) => return keep_too_many(keep),
        Ok(ELSEWHERE) => {
            return keep_too_many(|waker, clones| {
                thread::scope(|scope| _ = scope.spawn(|| keep(waker, clones)));
            });
        }
        _ => {}
    }
    for which in [IN_POLL, ELSEWHERE] {
        let mut this = Command::new("sh");
        this.args(["-c", "ulimit -c 0; exec \"$0\" --nocapture"])
            .arg(env::current_exe().unwrap())
            .env(WHICH, which);
        let ended = this.output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(!ended.status.success(), "{which}");
        let told = said.find("too many wakers").expect(which);
        assert!(said[..told].contains("enough"), "{which}");
    }
}
