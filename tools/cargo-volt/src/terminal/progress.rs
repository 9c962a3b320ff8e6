//! The progress of a long operation, on the standard error.
//!
//! A terminal shows one bar, with the time left where the number of steps is known. Elsewhere only
//! the notes are printed, one a line.

use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

/// The interval at which the bar is drawn again.
const TICK: Duration = Duration::from_millis(120);

/// The bar of an operation without a known number of steps.
const UNKNOWN: &str = "{spinner} {prefix:.bold} {msg} [{elapsed}]";

/// The bar of an operation with a known number of steps.
const KNOWN: &str = "{spinner} {prefix:.bold} [{bar:28}] {pos}/{len} {wide_msg} {left}";

/// A progress bar with a name. Clones share the bar.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    name: String,
    begun: Instant,
    first: FirstStep,
}

/// The time and the number of finished steps at which the current operation was first measured.
/// Cargo counts units that are up to date as finished, so the number is not 0 in each build.
type FirstStep = Arc<Mutex<Option<(Instant, u64)>>>;

impl Progress {
    /// Starts the bar.
    pub(crate) fn new(name: &str) -> Self {
        let bar = ProgressBar::new_spinner().with_prefix(name.to_owned());
        let first = FirstStep::default();
        bar.set_style(style(UNKNOWN, &first));
        bar.enable_steady_tick(TICK);
        Self {
            first,
            bar,
            name: name.to_owned(),
            begun: Instant::now(),
        }
    }

    /// Begins an operation, whose number of steps is not known yet.
    pub(crate) fn begin(&self, operation: &str) {
        self.bar.unset_length();
        self.bar.reset();
        self.bar.set_style(style(UNKNOWN, &self.first));
        *self.first.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.bar.set_message(operation.to_owned());
    }

    /// Sets the number of finished steps, and of all steps.
    pub(crate) fn set(&self, done: u64, all: u64) {
        if self.bar.length() != Some(all) {
            self.bar.set_style(style(KNOWN, &self.first));
            self.bar.set_length(all);
        }
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert_with(|| (Instant::now(), done));
        drop(first);
        self.bar.set_position(done);
    }

    /// Sets the text next to the bar.
    pub(crate) fn set_message(&self, text: &str) {
        self.bar.set_message(text.to_owned());
    }

    /// Prints a line that stays.
    pub(crate) fn note(&self, text: &str) {
        let seconds = self.begun.elapsed().as_secs();
        let line = format!("{} [{seconds:4} s] {text}", self.name);
        self.bar.suspend(|| anstream::eprintln!("{line}"));
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

fn style(template: &str, first: &FirstStep) -> ProgressStyle {
    let first = Arc::clone(first);
    let left = move |state: &ProgressState, text: &mut dyn Write| {
        let first = *first.lock().unwrap_or_else(PoisonError::into_inner);
        let left = first.and_then(|(begun, at_first)| {
            let done = state.pos().checked_sub(at_first)?;
            let rest = state.len()?.checked_sub(state.pos())?;
            time_left(begun.elapsed(), done, rest)
        });
        if let Some(left) = left {
            // A bar without the text is no error.
            let _ = write!(text, "{} left", shown(left));
        }
    };
    let style = ProgressStyle::with_template(template);
    let style = style.expect("the template is valid");
    style.progress_chars("=> ").with_key("left", left)
}

/// Returns the time for the rest of the steps, if any step was measured.
fn time_left(elapsed: Duration, done: u64, rest: u64) -> Option<Duration> {
    let [done, rest] = [done, rest].map(|steps| u32::try_from(steps).ok());
    elapsed.checked_mul(rest?)?.checked_div(done?)
}

/// Returns `45 s` or `3 min`.
fn shown(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 100 {
        return format!("{seconds} s");
    }
    format!("{} min", (seconds + 30) / 60)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{FirstStep, KNOWN, UNKNOWN, shown, style, time_left};

    #[test]
    fn templates_are_valid() {
        for template in [KNOWN, UNKNOWN] {
            style(template, &FirstStep::default());
        }
    }

    #[test]
    fn time_left_follows_the_measured_steps() {
        let elapsed = Duration::from_secs(20);
        assert_eq!(time_left(elapsed, 0, 2), None);
        assert_eq!(time_left(elapsed, 10, 30), Some(Duration::from_secs(60)));
        assert_eq!(shown(Duration::from_secs(60)), "60 s");
        assert_eq!(shown(Duration::from_secs(170)), "3 min");
    }
}
