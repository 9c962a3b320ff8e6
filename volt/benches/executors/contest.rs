//! Rounds in which every contestant runs once.

use std::time::{Duration, Instant};

use crate::sample::Sample;
use crate::workload::Run;

/// How long one contestant is busy in one round, at least: short runs are repeated.
const TURN: Duration = Duration::from_millis(20);

/// One workload, made ready for every contestant.
pub(crate) struct Row {
    name: &'static str,
    about: &'static str,
    contestants: Vec<Contestant>,
}

struct Contestant {
    name: &'static str,
    run: Run,
    /// How often it runs in a turn.
    repeats: usize,
    sample: Sample,
}

/// What came out of a row: the contestants' names and samples, in the order of the table.
pub(crate) struct Outcome {
    pub(crate) name: &'static str,
    pub(crate) samples: Vec<(&'static str, Sample)>,
}

impl Row {
    pub(crate) fn new(
        name: &'static str,
        about: &'static str,
        runs: Vec<(&'static str, Run)>,
    ) -> Self {
        let contestant = |(name, run)| Contestant {
            name,
            run,
            repeats: 1,
            sample: Sample::default(),
        };
        Self {
            name,
            about,
            contestants: runs.into_iter().map(contestant).collect(),
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    pub(crate) fn about(&self) -> &'static str {
        self.about
    }

    pub(crate) fn run(&mut self, rounds: usize) -> Outcome {
        self.contestants.iter_mut().for_each(Contestant::warm_up);
        for _ in 0..rounds {
            self.contestants.iter_mut().for_each(Contestant::turn);
            self.contestants.rotate_left(1);
        }
        let returned = rounds % self.contestants.len();
        self.contestants.rotate_right(returned);
        let sampled = |c: &Contestant| (c.name, c.sample.clone());
        Outcome {
            name: self.name,
            samples: self.contestants.iter().map(sampled).collect(),
        }
    }
}

impl Contestant {
    /// Fills caches and pools, and finds out how often a turn runs.
    fn warm_up(&mut self) {
        let start = Instant::now();
        let mut runs = 0_u32;
        while start.elapsed() < 2 * TURN || runs < 2 {
            (self.run)();
            runs += 1;
        }
        let one = start.elapsed() / runs;
        self.repeats = TURN.div_duration_f64(one).ceil() as usize;
    }

    fn turn(&mut self) {
        let total: f64 = (0..self.repeats).map(|_| (self.run)()).sum();
        self.sample.push(total / self.repeats as f64);
    }
}
