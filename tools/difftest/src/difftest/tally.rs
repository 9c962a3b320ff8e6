//! The figures of a whole run.

use std::collections::BTreeMap;
use std::fmt;

use crate::batch::Verdict;

/// The results of all functions.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    compared: usize,
    differing: usize,
    explicit: usize,
    dropped: usize,
    refused: BTreeMap<String, usize>,
    faulty: BTreeMap<String, usize>,
    runs: usize,
    events: usize,
    /// The sum of the logarithms of the ratios of the sizes.
    ratios: f64,
    measured: usize,
    smaller: usize,
    equal: usize,
    larger: usize,
    /// The number of machines that are larger than the compiler's future by a number of bytes: of
    /// functions that the macro lays out explicitly, and of native ones.
    surplus: [BTreeMap<usize, usize>; 2],
}

impl Tally {
    /// Adds a function, of which a machine was made in the explicit layout or in the native one.
    pub(crate) fn add(&mut self, verdict: Verdict, is_explicit: bool) {
        if matches!(verdict, Verdict::Equal(_) | Verdict::Differs(_)) {
            self.explicit += usize::from(is_explicit);
        }
        match verdict {
            Verdict::Equal(figures) => {
                self.compared += 1;
                self.runs += figures.runs;
                self.events += figures.events;
                self.size(figures.native, figures.machine, is_explicit);
            }
            Verdict::Differs(_) => {
                self.compared += 1;
                self.differing += 1;
            }
            Verdict::Refused(message) => *self.refused.entry(message).or_default() += 1,
            Verdict::Faulty(message) => *self.faulty.entry(message).or_default() += 1,
            Verdict::Dropped => self.dropped += 1,
        }
    }

    /// How far a run of so many functions is.
    pub(crate) fn progress(&self, functions: u64) -> String {
        let judged = self.compared + self.dropped + self.refused() + self.faulty();
        format!("{judged} of {functions} judged, {} differ", self.differing)
    }

    fn refused(&self) -> usize {
        self.refused.values().sum()
    }

    fn faulty(&self) -> usize {
        self.faulty.values().sum()
    }

    /// Returns `true` if no function differs, and all were compared. The given number of functions
    /// may be rejected, or call a rejected one.
    pub(crate) fn is_clean(&self, refusals: usize) -> bool {
        self.differing + self.faulty() == 0 && self.dropped + self.refused() <= refusals
    }

    #[expect(clippy::cast_precision_loss, reason = "sizes are small")]
    fn size(&mut self, native: usize, machine: usize, is_explicit: bool) {
        match machine.cmp(&native) {
            std::cmp::Ordering::Less => self.smaller += 1,
            std::cmp::Ordering::Equal => self.equal += 1,
            std::cmp::Ordering::Greater => {
                self.larger += 1;
                let surplus = &mut self.surplus[usize::from(!is_explicit)];
                *surplus.entry(machine - native).or_default() += 1;
            }
        }
        if native > 0 && machine > 0 {
            self.ratios += (native as f64 / machine as f64).ln();
            self.measured += 1;
        }
    }
}

impl fmt::Display for Tally {
    #[expect(clippy::cast_precision_loss, reason = "counts are small")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (message, count) in &self.refused {
            writeln!(f, "refused {count:4}: {message}")?;
        }
        for (message, count) in &self.faulty {
            writeln!(f, "faulty  {count:4}: {message}")?;
        }
        let (refused, faulty) = (self.refused(), self.faulty());
        writeln!(
            f,
            "{} functions compared, {} of them explicit, {} differ; {refused} refused, {faulty} faulty, {} call one of these",
            self.compared, self.explicit, self.differing, self.dropped
        )?;
        let ratio = (self.ratios / self.measured.max(1) as f64).exp();
        write!(
            f,
            "{} schedules run, {} events compared; machines are {ratio:.2} times smaller: {} \
             smaller, {} equal, {} larger",
            self.runs, self.events, self.smaller, self.equal, self.larger
        )?;
        for (layout, surplus) in ["explicit", "native"].into_iter().zip(&self.surplus) {
            let counts = surplus.iter();
            let counts: Vec<_> = counts.map(|(bytes, n)| format!("{n} by {bytes}")).collect();
            if !counts.is_empty() {
                write!(f, "\n{layout} ones larger: {}", counts.join(", "))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;
    use crate::batch::Verdict;

    #[test]
    fn whatever_became_of_a_function_counts_as_progress() {
        let mut tally = Tally::default();
        assert_eq!(tally.progress(8), "0 of 8 judged, 0 differ");
        tally.add(Verdict::Differs("the logs".to_owned()), true);
        tally.add(Verdict::Refused("a guard awaits".to_owned()), false);
        tally.add(Verdict::Faulty("a type is missing".to_owned()), false);
        tally.add(Verdict::Dropped, false);
        assert_eq!(tally.progress(8), "4 of 8 judged, 1 differ");
    }
}
