//! The waker that a timer stores inside of machines.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use volt::time::{advance, pause, sleep};

const SECOND: Duration = Duration::from_secs(1);

#[derive(Default)]
struct Counted(AtomicUsize);

impl Wake for Counted {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[volt::state_machine]
async fn nap(length: Duration) {
    sleep(length).await;
}

/// Polls always at the same depth of the stack, where a check may store a wrapped waker.
#[inline(never)]
fn poll(machine: Pin<&mut Nap>, waker: &Waker) -> Poll<()> {
    machine.poll(&mut Context::from_waker(waker))
}

#[test]
fn sleep_in_a_machine_wakes_the_last_waker() {
    volt::block_on(async {
        pause();
        let wakers: [Arc<Counted>; 2] = Default::default();
        let mut machine = pin!(nap(SECOND));
        for waker in &wakers {
            let waker = Waker::from(Arc::clone(waker));
            assert!(poll(machine.as_mut(), &waker).is_pending());
        }
        advance(SECOND).await;
        let calls = wakers.map(|waker| waker.0.load(Ordering::Relaxed));
        assert_eq!(calls, [0, 1]);
    });
}

#[test]
fn repolled_sleep_in_a_machine_forgets_no_waker() {
    volt::machine::on_forgotten_waker(|forgotten| panic!("{forgotten}"));
    volt::block_on(async {
        pause();
        let waker = Waker::from(Arc::new(Counted::default()));
        let mut machine = pin!(nap(SECOND));
        for _ in 0..3 {
            assert!(poll(machine.as_mut(), &waker).is_pending());
        }
    });
}
