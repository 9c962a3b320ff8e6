//! Rounds in which every contestant runs once.

use std::time::{Duration, Instant};

use crate::sample::Sample;
use crate::workload::{Describe, Quantile, Run, Target, Unit};

/// How long one contestant is busy in one round, at least: short runs are repeated.
const TURN: Duration = Duration::from_millis(20);

/// One workload, made ready for every contestant.
pub(crate) struct Row {
    description: Description,
    contestants: Vec<Contestant>,
}

/// What the row is about.
#[derive(Clone, Copy)]
pub(crate) struct Description {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) unit: Unit,
    pub(crate) shown: &'static [Quantile],
    pub(crate) target: Option<Target>,
    pub(crate) in_readme: bool,
    heavy: bool,
}

struct Contestant {
    name: &'static str,
    run: Run,
    /// How often it runs in a turn.
    repeats: usize,
    sample: Sample,
}

/// What came out of a row: the contestants' names and samples, in the order in which they came.
pub(crate) struct Outcome {
    pub(crate) description: Description,
    pub(crate) samples: Vec<(&'static str, Sample)>,
}

impl Row {
    pub(crate) fn new<W: Describe>(runs: Vec<(&'static str, Run)>) -> Self {
        let description = Description {
            name: W::NAME,
            about: W::ABOUT,
            unit: W::UNIT,
            shown: W::SHOWN,
            target: W::TARGET,
            in_readme: W::IN_README,
            heavy: W::HEAVY,
        };
        let contestant = |(name, run)| Contestant {
            name,
            run,
            repeats: 1,
            sample: Sample::default(),
        };
        Self {
            description,
            contestants: runs.into_iter().map(contestant).collect(),
        }
    }

    pub(crate) fn description(&self) -> Description {
        self.description
    }

    pub(crate) fn run(&mut self, rounds: usize) -> Outcome {
        let heavy = self.description.heavy;
        let rounds = if heavy { rounds.div_ceil(10) } else { rounds };
        if !heavy {
            self.contestants.iter_mut().for_each(Contestant::warm_up);
        } else if self.description.unit == Unit::Seconds {
            let once = |it: &mut Contestant| (it.run)(&mut Vec::new());
            self.contestants.iter_mut().for_each(once);
        }
        let many = self.description.shown.len() > 1;
        for _ in 0..rounds {
            self.contestants.iter_mut().for_each(|it| it.turn(many));
            self.contestants.rotate_left(1);
        }
        let returned = rounds % self.contestants.len();
        self.contestants.rotate_right(returned);
        let sampled = |c: &Contestant| (c.name, c.sample.clone());
        Outcome {
            description: self.description,
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
            (self.run)(&mut Vec::new());
            runs += 1;
        }
        let one = start.elapsed() / runs;
        self.repeats = TURN.div_duration_f64(one).ceil() as usize;
    }

    /// Keeps the costs, or their mean where a run has but one.
    fn turn(&mut self, many: bool) {
        let mut costs = Vec::new();
        for _ in 0..self.repeats {
            (self.run)(&mut costs);
        }
        if many {
            costs.into_iter().for_each(|cost| self.sample.push(cost));
        } else {
            let total: f64 = costs.iter().sum();
            self.sample.push(total / costs.len() as f64);
        }
    }
}
