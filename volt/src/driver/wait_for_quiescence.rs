//! The wait for quiescence: for a moment at which all threads are idle.

use std::task::{Poll, Waker};

use super::driver_handle::DriverHandle;
use super::slab::Key;

/// A wait for the next moment of quiescence; dropping it ends the wait.
#[derive(Debug)]
pub(crate) struct WaitForQuiescence {
    driver: DriverHandle,
    key: Option<Key>,
}

impl WaitForQuiescence {
    pub(crate) fn new(driver: DriverHandle) -> Self {
        Self { driver, key: None }
    }

    /// Returns `Ready` if all threads were idle since the first call, or if the driver was dropped.
    pub(crate) fn poll_quiescence(&mut self, waker: &Waker) -> Poll<()> {
        let quiescence_waiters = self.driver.quiescence_waiters();
        match self.key {
            Some(key) if !quiescence_waiters.replace(key, waker) => return Poll::Ready(()),
            Some(_) => {}
            None => self.key = Some(quiescence_waiters.insert(waker.clone())),
        }
        // A driver that was dropped before has not seen the waker.
        if self.driver.is_closed() {
            return Poll::Ready(());
        }
        Poll::Pending
    }
}

impl Drop for WaitForQuiescence {
    fn drop(&mut self) {
        if let Some(key) = self.key {
            self.driver.quiescence_waiters().remove(key);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Poll, Wake, Waker};

    use super::WaitForQuiescence;
    use crate::driver::Driver;

    struct Counted(AtomicUsize);

    impl Wake for Counted {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn counted() -> (Arc<Counted>, Waker) {
        let counted = Arc::new(Counted(AtomicUsize::new(0)));
        (Arc::clone(&counted), Waker::from(counted))
    }

    #[test]
    fn quiescence_wakes_the_last_waker_once() {
        let (mut driver, handle) = Driver::new().expect("the system grants three descriptors");
        handle.pause();
        let ((one, first), (two, second)) = (counted(), counted());
        let mut wait = WaitForQuiescence::new(handle);
        assert_eq!(wait.poll_quiescence(&first), Poll::Pending);
        assert_eq!(wait.poll_quiescence(&second), Poll::Pending);
        assert!(driver.auto_advance(|| true));
        assert_eq!(one.0.load(Ordering::SeqCst), 0);
        assert_eq!(two.0.load(Ordering::SeqCst), 1);
        assert_eq!(wait.poll_quiescence(&second), Poll::Ready(()));
    }

    #[test]
    fn dropped_wait_for_quiescence_keeps_no_waker() {
        let (driver, handle) = Driver::new().expect("the system grants three descriptors");
        let (counted, waker) = counted();
        let mut wait = WaitForQuiescence::new(handle.clone());
        assert_eq!(wait.poll_quiescence(&waker), Poll::Pending);
        drop(wait);
        assert_eq!(Arc::strong_count(&counted), 2);
        drop(driver);
        let mut wait = WaitForQuiescence::new(handle);
        assert_eq!(
            wait.poll_quiescence(&waker),
            Poll::Ready(()),
            "the driver was dropped"
        );
    }
}
