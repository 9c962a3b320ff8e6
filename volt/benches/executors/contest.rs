//! Rounds in which every contestant runs once.

use std::time::{Duration, Instant};

use crate::sample::Sample;
use crate::workload::{Describe, Quantile, Run, Target, Unit};

/// The shortest time of one contestant in a round. Shorter runs are repeated.
const TURN: Duration = Duration::from_millis(20);

/// One workload, prepared for every contestant.
pub(crate) struct Row {
    description: Description,
    contestants: Vec<Contestant>,
}

/// The description of a row.
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
    /// The number of runs in a turn.
    repeats: usize,
    sample: Sample,
}

/// The result of a row: the names and samples of the contestants, in their order.
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
            let once = |contestant: &mut Contestant| (contestant.run)(&mut Vec::new());
            self.contestants.iter_mut().for_each(once);
        }
        let keeps_all = self.description.shown.len() > 1;
        for _ in 0..rounds {
            self.contestants
                .iter_mut()
                .for_each(|contestant| contestant.turn(keeps_all));
            self.contestants.rotate_left(1);
        }
        let returned = rounds % self.contestants.len();
        self.contestants.rotate_right(returned);
        let sample = |contestant: &Contestant| (contestant.name, contestant.sample.clone());
        Outcome {
            description: self.description,
            samples: self.contestants.iter().map(sample).collect(),
        }
    }
}

impl Contestant {
    /// Fills caches and pools, and sets the number of runs in a turn.
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

    /// Stores the costs, or their mean if a run has only one cost.
    fn turn(&mut self, keeps_all: bool) {
        let mut costs = Vec::new();
        for _ in 0..self.repeats {
            (self.run)(&mut costs);
        }
        if keeps_all {
            costs.into_iter().for_each(|cost| self.sample.push(cost));
        } else {
            let total: f64 = costs.iter().sum();
            self.sample.push(total / costs.len() as f64);
        }
    }
}
