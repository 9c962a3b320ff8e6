//! Histograms of poll times: the counters of a worker, and the copy that users read.

use std::fmt;
use std::ops::Range;
use std::time::Duration;

use super::counter::Counter;

/// The number of buckets. Models use a small number, because they create all counters again for
/// each interleaving.
const BUCKETS: usize = if cfg!(loom) { 2 } else { 40 };

/// The poll times of one worker, which only its owner writes.
///
/// Bucket `i` counts the polls whose time in nanoseconds has `i` significant bits. The last bucket
/// also counts all longer polls.
#[derive(Debug)]
pub(crate) struct PollTimeCounters([Counter; BUCKETS]);

impl PollTimeCounters {
    pub(crate) fn new() -> Self {
        Self(std::array::from_fn(|_| Counter::new()))
    }

    /// Counts `polls` polls, each of which took `nanos` nanoseconds. Only the writer may call this.
    pub(crate) fn record(&self, nanos: u64, polls: u32) {
        self.0[bucket(nanos)].add(u64::from(polls));
    }

    pub(crate) fn read(&self) -> PollTimes {
        PollTimes(self.0.iter().map(Counter::get).collect())
    }
}

fn bucket(nanos: u64) -> usize {
    let bits = u64::BITS - nanos.leading_zeros();
    (bits as usize).min(BUCKETS - 1)
}

/// A histogram of poll times, with a bucket for each power of two in nanoseconds.
///
/// The runtime samples by default: a worker reads the clock once in up to 128 polls, and then times
/// the next poll alone. This sample counts for all polls since the last one. If the worker runs out
/// of tasks before the next sample, the polls since the last one count with their mean time.
/// So the numbers are estimates for a busy worker, and exact for a worker that polls one task at a
/// time. [`Builder::exact_poll_times`](crate::Builder::exact_poll_times) times each poll.
///
/// A poll inside of a [`join`](crate::JoinHandle::join) is part of the poll that joins. The times
/// of a [`LocalRuntime`](crate::LocalRuntime) may include polls of the future of its `block_on`.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// let runtime = volt::Builder::new().exact_poll_times(true).build()?;
/// runtime.block_on(runtime.spawn(async {
///     std::thread::sleep(Duration::from_millis(20));
/// })).unwrap();
/// # while runtime.stats().sleeping < runtime.stats().workers.len() { std::thread::yield_now() }
/// let poll_times = runtime.stats().poll_times();
/// assert_eq!(poll_times.count_over(Duration::from_millis(10)), 1);
/// for (range, polls) in poll_times.buckets().filter(|(_, polls)| *polls > 0) {
///     println!("{range:?}: {polls}");
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct PollTimes(Vec<u64>);

impl PollTimes {
    /// Returns the buckets, the shortest times first: the range of times, and the number of polls.
    ///
    /// The end of the last range is [`Duration::MAX`].
    pub fn buckets(&self) -> impl Iterator<Item = (Range<Duration>, u64)> {
        let counts = self.0.iter().copied().enumerate();
        counts.map(|(index, count)| (range(index), count))
    }

    /// Returns the number of polls.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the number of polls that certainly took at least `limit`: those of the buckets that
    /// begin at `limit` or later.
    #[must_use]
    pub fn count_over(&self, limit: Duration) -> u64 {
        let over = self.buckets().filter(|(range, _)| range.start >= limit);
        over.map(|(_, count)| count).sum()
    }

    /// Returns a time that the given part of the polls did not exceed: the end of the bucket of
    /// this quantile. Returns `None` without polls.
    ///
    /// `quantile(0.99)` is a bound that one poll in a hundred exceeds. Values outside of 0 to 1
    /// count as 0 or 1.
    #[must_use]
    pub fn quantile(&self, quantile: f64) -> Option<Duration> {
        let count = self.count();
        let rank = (quantile.clamp(0.0, 1.0) * count as f64).ceil() as u64;
        let mut below = 0;
        let mut buckets = self.buckets();
        let found = buckets.find(|(_, polls)| {
            below += polls;
            *polls > 0 && below >= rank
        });
        found.map(|(range, _)| range.end)
    }

    /// Adds the polls of another histogram.
    pub(crate) fn add(&mut self, other: &Self) {
        self.0.resize(BUCKETS, 0);
        for (sum, count) in self.0.iter_mut().zip(&other.0) {
            *sum += count;
        }
    }
}

/// Returns the times of a bucket.
fn range(index: usize) -> Range<Duration> {
    let at = |bits: usize| Duration::from_nanos(1 << bits);
    let start = index.checked_sub(1).map_or(Duration::ZERO, at);
    let end = if index + 1 == BUCKETS {
        Duration::MAX
    } else {
        at(index)
    };
    start..end
}

impl fmt::Debug for PollTimes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let polled = self.buckets().filter(|(_, polls)| *polls > 0);
        f.debug_map().entries(polled).finish()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{BUCKETS, PollTimeCounters, PollTimes, bucket};
    use std::time::Duration;

    fn nanos(nanos: u64) -> Duration {
        Duration::from_nanos(nanos)
    }

    #[test]
    fn bucket_ranges_contain_their_times() {
        let counters = PollTimeCounters::new();
        let ranges: Vec<_> = counters.read().buckets().map(|(range, _)| range).collect();
        assert_eq!(ranges.len(), BUCKETS);
        for time in [0, 1, 2, 3, 4, 1023, 1024, 200_000_000, u64::MAX] {
            assert!(
                ranges[bucket(time)].contains(&Duration::from_nanos(time)),
                "{time:?}"
            );
        }
        let is_joined = |pair: &[std::ops::Range<Duration>]| pair[0].end == pair[1].start;
        assert!(ranges.windows(2).all(is_joined));
    }

    #[test]
    fn quantile_is_end_of_its_bucket() {
        let counters = PollTimeCounters::new();
        counters.record(1000, 99);
        counters.record(200_000_000, 1);
        let times = counters.read();
        assert_eq!(times.count(), 100);
        assert_eq!(times.quantile(0.5), Some(nanos(1024)));
        assert_eq!(times.quantile(0.99), Some(nanos(1024)));
        assert_eq!(times.quantile(0.991), Some(nanos(1 << 28)));
        assert_eq!(times.quantile(7.0), Some(nanos(1 << 28)));
        assert_eq!(times.count_over(Duration::from_millis(100)), 1);
        assert_eq!(times.count_over(Duration::from_millis(200)), 0);
        assert_eq!(PollTimes::default().quantile(0.5), None);
    }

    #[test]
    fn sum_has_the_polls_of_both() {
        let counters = PollTimeCounters::new();
        counters.record(5, 3);
        let mut sum = PollTimes::default();
        sum.add(&counters.read());
        counters.record(u64::MAX, 4);
        sum.add(&counters.read());
        assert_eq!(sum.count(), 10);
        assert_eq!(sum.count_over(Duration::from_secs(1)), 4);
    }
}
