//! The progress of a long operation, on the standard error.
//!
//! A terminal shows one bar, with the time left where the number of steps is known. Elsewhere only
//! the notes are printed, one a line.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// The interval at which the bar is drawn again.
const TICK: Duration = Duration::from_millis(120);

/// The bar of an operation without a known number of steps.
const UNKNOWN: &str = "{spinner} {prefix:.bold} {msg} [{elapsed}]";

/// The bar of an operation with a known number of steps.
const KNOWN: &str = "{spinner} {prefix:.bold} [{bar:28}] {pos}/{len} {wide_msg} {eta} left";

/// A progress bar with a name. Clones share the bar.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    name: String,
    begun: Instant,
}

impl Progress {
    /// Starts the bar.
    pub(crate) fn new(name: &str) -> Self {
        let bar = ProgressBar::new_spinner().with_prefix(name.to_owned());
        bar.set_style(style(UNKNOWN));
        bar.enable_steady_tick(TICK);
        Self {
            bar,
            name: name.to_owned(),
            begun: Instant::now(),
        }
    }

    /// Begins an operation, whose number of steps is not known yet.
    pub(crate) fn begin(&self, operation: &str) {
        self.bar.unset_length();
        self.bar.reset();
        self.bar.set_style(style(UNKNOWN));
        self.bar.set_message(operation.to_owned());
    }

    /// Sets the number of finished steps, and of all steps.
    pub(crate) fn set(&self, done: u64, all: u64) {
        if self.bar.length() != Some(all) {
            self.bar.set_style(style(KNOWN));
            self.bar.set_length(all);
        }
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

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template);
    style.expect("the template is valid").progress_chars("=> ")
}

#[cfg(test)]
mod tests {
    use super::{KNOWN, UNKNOWN, style};

    #[test]
    fn templates_are_valid() {
        for template in [KNOWN, UNKNOWN] {
            style(template);
        }
    }
}
