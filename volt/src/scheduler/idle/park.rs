//! The place in which a worker sleeps: its thread, the driver, or the standby.
//!
//! One sleeping worker at a time waits in the driver for events and timers. Another one is on
//! [standby](super::standby). The others park their threads. A [`Parker`] records which of the
//! three it is, so that an unpark uses the right interrupt. It also remembers one unpark that
//! arrives while the worker is awake.
//!
//! ```text
//!             park                                     unpark
//!   EMPTY ----------> ON_THREAD | IN_DRIVER | ON_STANDBY ------> NOTIFIED (and the interrupt)
//!     ^                                                             |
//!     +----------------------- park returns ------------------------+
//! ```
//!
//! `park` may return without a reason: an unpark can reach a worker that another event has woken
//! meanwhile. The idle set shows whether there was a reason.

use crate::loom::sync::Mutex;
use crate::loom::sync::atomic::AtomicU32;
use crate::loom::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};
use crate::loom::thread::{self, Thread};

const EMPTY: u32 = 0;
const ON_THREAD: u32 = 1;
const IN_DRIVER: u32 = 2;
const ON_STANDBY: u32 = 3;
const NOTIFIED: u32 = 4;

/// A place other than its thread in which a worker can wait.
pub(crate) trait WaitPlace {
    /// Blocks until there is an event, a timer is due, or an interrupt arrives.
    fn wait(&mut self);
}

/// The interrupts that end a [`WaitPlace::wait`], or the next one if no worker waits.
pub(crate) trait DriverInterrupt {
    /// Interrupts the worker in the driver.
    fn interrupt_driver(&self);

    /// Interrupts the worker on standby.
    fn wake_standby(&self);
}

/// The sleep state of one worker.
#[derive(Debug)]
#[doc(alias = "ParkState")]
pub(crate) struct Parker {
    state: AtomicU32,
    /// The thread that runs the worker. It may change while the worker is awake.
    thread: Mutex<Option<Thread>>,
    /// The id that the system gave to this thread; zero if it is unknown.
    thread_id: AtomicU32,
}

impl Parker {
    /// Returns a parker without a thread.
    pub(crate) fn new() -> Self {
        Self {
            state: AtomicU32::new(EMPTY),
            thread: Mutex::new(None),
            thread_id: AtomicU32::new(0),
        }
    }

    /// Makes the calling thread the one that sleeps here.
    pub(crate) fn bind(&self) {
        *self.thread.lock() = Some(thread::current());
        // ORDERING: Relaxed: a number for reports.
        self.thread_id.store(system_thread_id(), Relaxed);
    }

    /// Returns the id that the system gave to the thread that sleeps here, if it is known.
    pub(crate) fn thread_id(&self) -> Option<u32> {
        let id = self.thread_id.load(Relaxed);
        (id != 0).then_some(id)
    }

    /// Returns the name of the thread that sleeps here.
    pub(crate) fn thread_name(&self) -> Option<String> {
        thread_name(self.thread.lock().as_ref()?)
    }

    /// Sleeps on the thread until an unpark.
    pub(crate) fn park_thread(&self) {
        if !self.prepare_park(ON_THREAD) {
            return;
        }
        loop {
            thread::park();
            // ORDERING: Acquire, pairs with the AcqRel in `unpark`.
            if self
                .state
                .compare_exchange(NOTIFIED, EMPTY, Acquire, Relaxed)
                .is_ok()
            {
                return;
            }
        }
    }

    /// Sleeps in the driver until an unpark or an event of the driver.
    pub(crate) fn park_driver(&self, driver: &mut impl WaitPlace) {
        self.park_in(IN_DRIVER, driver);
    }

    /// Sleeps on standby until an unpark, or until the countdown runs out.
    pub(crate) fn park_standby(&self, standby: &mut impl WaitPlace) {
        self.park_in(ON_STANDBY, standby);
    }

    fn park_in(&self, place: u32, wait: &mut impl WaitPlace) {
        if self.prepare_park(place) {
            wait.wait();
            self.state.swap(EMPTY, AcqRel);
        }
    }

    /// Enters `place`. Returns `false` if an unpark came before, which this call consumes.
    fn prepare_park(&self, place: u32) -> bool {
        let entered = self
            .state
            .compare_exchange(EMPTY, place, AcqRel, Acquire)
            .is_ok();
        if !entered {
            self.state.swap(EMPTY, AcqRel);
        }
        entered
    }

    /// Ends the sleep, or the next one if the worker is awake.
    pub(crate) fn unpark(&self, interrupt: &impl DriverInterrupt) {
        match self.state.swap(NOTIFIED, AcqRel) {
            ON_THREAD => self.wake_thread(),
            IN_DRIVER => interrupt.interrupt_driver(),
            ON_STANDBY => interrupt.wake_standby(),
            _ => {}
        }
    }

    #[cold]
    fn wake_thread(&self) {
        let thread = self.thread.lock();
        thread
            .as_ref()
            .expect("only a bound thread sleeps")
            .unpark();
    }
}

/// Returns the id that the system gave to this thread, or zero if it is unknown.
#[cfg(all(target_os = "linux", not(any(loom, shuttle, miri))))]
pub(crate) fn system_thread_id() -> u32 {
    thread_local! {
        static ID: u32 = read_thread_id().unwrap_or(0);
    }
    ID.try_with(|id| *id).unwrap_or(0)
}

#[cfg(not(all(target_os = "linux", not(any(loom, shuttle, miri)))))]
pub(crate) fn system_thread_id() -> u32 {
    0
}

/// Reads the id of this thread. The link is `PID/task/TID`.
#[cfg(all(target_os = "linux", not(any(loom, shuttle, miri))))]
fn read_thread_id() -> Option<u32> {
    let link = std::fs::read_link("/proc/thread-self").ok()?;
    link.file_name()?.to_str()?.parse().ok()
}

#[cfg(not(loom))]
fn thread_name(thread: &Thread) -> Option<String> {
    thread.name().map(str::to_owned)
}

#[cfg(loom)]
fn thread_name(_: &Thread) -> Option<String> {
    None
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{DriverInterrupt, Parker, WaitPlace};
    use std::sync::Arc;
    use std::sync::mpsc;
    use std::time::Duration;

    struct Channel(mpsc::Receiver<()>);
    impl WaitPlace for Channel {
        fn wait(&mut self) {
            self.0
                .recv_timeout(Duration::from_secs(10))
                .expect("the bell rings");
        }
    }
    impl DriverInterrupt for mpsc::Sender<()> {
        fn interrupt_driver(&self) {
            self.send(()).unwrap();
        }

        fn wake_standby(&self) {
            self.send(()).unwrap();
        }
    }

    struct NoInterrupt;
    impl DriverInterrupt for NoInterrupt {
        fn interrupt_driver(&self) {
            panic!("no worker is in the driver");
        }

        fn wake_standby(&self) {
            panic!("no worker is on standby");
        }
    }

    #[test]
    fn unpark_before_park_makes_it_return_at_once() {
        let parker = Parker::new();
        parker.bind();
        parker.unpark(&NoInterrupt);
        parker.park_thread();
        parker.unpark(&NoInterrupt);
        parker.park_driver(&mut Channel(mpsc::channel().1));
        parker.unpark(&NoInterrupt);
        parker.park_standby(&mut Channel(mpsc::channel().1));
    }

    #[test]
    fn unpark_ends_a_sleep_at_each_place() {
        let parker = Arc::new(Parker::new());
        let (bell, receiver) = mpsc::channel();
        let sleeper = Arc::clone(&parker);
        let thread = std::thread::spawn(move || {
            sleeper.bind();
            sleeper.park_thread();
            let mut channel = Channel(receiver);
            sleeper.park_driver(&mut channel);
            sleeper.park_standby(&mut channel);
        });
        while !thread.is_finished() {
            parker.unpark(&bell);
            std::thread::sleep(Duration::from_millis(1));
        }
        thread.join().unwrap();
    }
}
