//! Tests of readiness without a system: the tests make the reports.

use std::sync::Arc as StdArc;
use std::task::{Wake, Waker};

use super::{CloseReason, Direction, IoSource, READABLE, WRITABLE, WakerPlace};
use crate::driver::wake_batch::WakeBatch;
use crate::loom::sync::atomic::{AtomicUsize, Ordering};

/// A waker that counts its calls.
struct Counted(AtomicUsize);

impl Counted {
    fn new() -> (StdArc<Self>, Waker) {
        let counted = StdArc::new(Self(AtomicUsize::new(0)));
        (StdArc::clone(&counted), Waker::from(counted))
    }

    fn calls(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

impl Wake for Counted {
    fn wake(self: StdArc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl IoSource {
    fn report_flags(&self, flags: u64) {
        let mut batch = WakeBatch::new();
        self.set(flags, &mut batch);
        batch.wake_all();
    }

    /// Finds that the first operation would block.
    fn settle(&self) {
        for direction in [Direction::Read, Direction::Write] {
            if let Some(ready) = self.ready(direction) {
                self.clear(direction, ready);
            }
        }
    }
}

#[cfg(not(loom))]
mod plain {
    use super::*;
    use crate::driver::readiness::source::{GONE, MARKS, READ_CLOSED};

    fn settled() -> IoSource {
        let source = IoSource::new();
        source.settle();
        source
    }

    #[test]
    fn new_source_is_tried_at_once() {
        let source = IoSource::new();
        assert!(source.ready(Direction::Read).is_some());
        source.settle();
        assert!(source.ready(Direction::Read).is_none());
        assert!(source.ready(Direction::Write).is_none());
    }

    #[test]
    fn report_wakes_only_its_half() {
        let source = settled();
        let ((reads, reader), (writes, writer)) = (Counted::new(), Counted::new());
        let _ = source.poll_ready(Direction::Read, WakerPlace::Shared, &reader);
        let _ = source.poll_ready(Direction::Write, WakerPlace::Shared, &writer);
        source.report_flags(READABLE);
        assert_eq!((reads.calls(), writes.calls()), (1, 0));
        source.report_flags(WRITABLE);
        assert_eq!((reads.calls(), writes.calls()), (1, 1));
    }

    #[test]
    fn clear_spares_a_newer_report() {
        let source = settled();
        source.report_flags(READABLE);
        let seen = source.ready(Direction::Read).expect("reported");
        source.report_flags(READABLE);
        source.clear(Direction::Read, seen);
        assert!(source.ready(Direction::Read).is_some());
    }

    #[test]
    fn clear_of_one_half_spares_the_other() {
        let source = IoSource::new();
        let write = source.ready(Direction::Write).expect("new");
        let read = source.ready(Direction::Read).expect("new");
        source.clear(Direction::Read, read);
        assert!(source.ready(Direction::Write).is_some());
        source.clear(Direction::Write, write);
        assert!(source.ready(Direction::Write).is_none());
    }

    #[test]
    fn exhausted_half_stays_ready_when_closed() {
        let source = settled();
        source.report_flags(READABLE | READ_CLOSED);
        let seen = source.ready(Direction::Read).expect("reported");
        source.exhaust_reads(seen);
        assert!(source.ready(Direction::Read).is_some());
        source.clear(Direction::Read, seen);
        assert!(source.ready(Direction::Read).is_none());
    }

    #[test]
    fn short_read_keeps_readiness_after_a_mark() {
        let source = settled();
        source.report_flags(READABLE);
        let seen = source.ready(Direction::Read).expect("reported");
        source.report_flags(READABLE | MARKS);
        for _ in 0..2 {
            source.exhaust_reads(seen);
            let seen = source.ready(Direction::Read).expect("there may be more");
            source.exhaust_reads(seen);
            let seen = source.ready(Direction::Read).expect("there may be more");
            source.clear(Direction::Read, seen);
            assert!(source.ready(Direction::Read).is_none());
            source.report_flags(READABLE);
        }
    }

    #[test]
    fn expected_marks_affect_reads_only() {
        let source = IoSource::new();
        source.expect_marks();
        let seen = source.ready(Direction::Read).expect("new");
        source.exhaust_reads(seen);
        source.exhaust_writes(seen);
        assert!(source.ready(Direction::Read).is_some());
        assert!(source.ready(Direction::Write).is_none());
    }

    #[test]
    fn abandoned_source_fails_and_is_never_cleared() {
        let source = settled();
        let (calls, waker) = Counted::new();
        assert!(
            source
                .poll_ready(Direction::Write, WakerPlace::Shared, &waker)
                .is_pending()
        );
        let mut batch = WakeBatch::new();
        source.abandon(CloseReason::DriverDropped, &mut batch);
        batch.wake_all();
        assert_eq!(calls.calls(), 1);
        let ready = source.ready(Direction::Write).expect("gone");
        source.clear(Direction::Write, ready);
        let ready = source.ready(Direction::Write).expect("still gone");
        assert!(ready.check().is_err());
        assert_eq!(source.word.load(Ordering::SeqCst) & GONE, GONE);
    }

    #[test]
    fn every_own_place_is_woken_and_freed() {
        let source = settled();
        let (calls, waker) = Counted::new();
        let mut keys = [None; 5];
        for key in &mut keys {
            let polled = source.poll_ready(Direction::Read, WakerPlace::Own(key), &waker);
            assert!(polled.is_pending());
            let again = source.poll_ready(Direction::Read, WakerPlace::Own(key), &waker);
            assert!(again.is_pending());
        }
        source.remove_waker(Direction::Read, keys[1].expect("waits"));
        source.report_flags(READABLE);
        assert_eq!(calls.calls(), 4);
        assert_eq!(StdArc::strong_count(&calls), 2);
        source.remove_waker(Direction::Read, keys[0].expect("waited"));
    }

    #[test]
    fn later_waker_replaces_the_shared_one() {
        let source = settled();
        let ((first, one), (second, two)) = (Counted::new(), Counted::new());
        let _ = source.poll_ready(Direction::Read, WakerPlace::Shared, &one);
        let _ = source.poll_ready(Direction::Read, WakerPlace::Shared, &two);
        assert_eq!(StdArc::strong_count(&first), 2);
        source.report_flags(READABLE);
        assert_eq!((first.calls(), second.calls()), (0, 1));
    }
}

/// Each model breaks when the line that its comment names is changed.
#[cfg(loom)]
mod models {
    use std::task::Poll;

    use loom::thread;

    use super::*;
    use crate::loom::sync::Arc;

    fn settled() -> Arc<IoSource> {
        let source = IoSource::new();
        source.settle();
        Arc::new(source)
    }

    /// Breaks when `wait` loads the word before it stores the waker.
    #[test]
    fn report_during_registration_is_seen_or_wakes() {
        loom::model(|| {
            let source = settled();
            let driver = {
                let source = Arc::clone(&source);
                thread::spawn(move || source.report_flags(READABLE))
            };
            let (calls, waker) = Counted::new();
            let polled = source.poll_ready(Direction::Read, WakerPlace::Shared, &waker);
            driver.join().expect("the driver ran");
            assert!(
                polled.is_ready() || calls.calls() == 1,
                "the report is lost"
            );
        });
    }

    /// Breaks when `unset` does not compare the edge counts.
    #[test]
    fn clear_never_loses_a_report() {
        loom::model(|| {
            let source = settled();
            source.report_flags(READABLE);
            let data = Arc::new(AtomicUsize::new(0));
            let driver = {
                let (source, data) = (Arc::clone(&source), Arc::clone(&data));
                thread::spawn(move || {
                    data.store(1, Ordering::Relaxed);
                    source.report_flags(READABLE);
                })
            };
            let (calls, waker) = Counted::new();
            let mut found = false;
            while let Poll::Ready(seen) =
                source.poll_ready(Direction::Read, WakerPlace::Shared, &waker)
            {
                // The operation finds the data, or that it would block.
                found = data.load(Ordering::Relaxed) == 1;
                if found {
                    break;
                }
                source.clear(Direction::Read, seen);
            }
            driver.join().expect("the driver ran");
            assert!(found || calls.calls() == 1, "the report is lost");
        });
    }

    /// Breaks when `unset` gives up after one failed exchange, or stores without one.
    #[test]
    fn halves_clear_at_once() {
        loom::model(|| {
            let source = Arc::new(IoSource::new());
            let writer = {
                let source = Arc::clone(&source);
                thread::spawn(move || {
                    let seen = source.ready(Direction::Write).expect("new");
                    source.clear(Direction::Write, seen);
                })
            };
            let seen = source.ready(Direction::Read).expect("new");
            source.clear(Direction::Read, seen);
            writer.join().expect("the writer ran");
            assert!(source.ready(Direction::Read).is_none());
            assert!(source.ready(Direction::Write).is_none());
        });
    }

    /// Breaks when `remove_waker` or `take_all` does not hold the lock of the other.
    #[test]
    fn leaving_during_a_report_keeps_the_other_waiter() {
        loom::model(|| {
            let source = settled();
            let ((_, leaver), (calls, stayer)) = (Counted::new(), Counted::new());
            let (mut left, mut kept) = (None, None);
            let _ = source.poll_ready(Direction::Read, WakerPlace::Own(&mut left), &leaver);
            let _ = source.poll_ready(Direction::Read, WakerPlace::Own(&mut kept), &stayer);
            let driver = {
                let source = Arc::clone(&source);
                thread::spawn(move || source.report_flags(READABLE))
            };
            source.remove_waker(Direction::Read, left.expect("waits"));
            driver.join().expect("the driver ran");
            assert_eq!(calls.calls(), 1);
        });
    }
}
