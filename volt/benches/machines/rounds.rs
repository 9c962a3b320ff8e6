//! Rounds in which both versions of a subject run once.

use std::time::{Duration, Instant};

use crate::sample::Sample;
use crate::workload::Subject;

/// The shortest time of one version in a round.
const TURN: Duration = Duration::from_millis(10);

/// Measures both versions of a subject in alternating order. Returns the seconds of one future.
pub(crate) fn measure(native: &Subject, machine: &Subject, rounds: usize) -> (Sample, Sample) {
    let (of_native, of_machine) = (futures_in_a_turn(native), futures_in_a_turn(machine));
    let (mut natives, mut machines) = (Sample::default(), Sample::default());
    for round in 0..rounds {
        if round % 2 == 0 {
            natives.push(turn(native, of_native));
            machines.push(turn(machine, of_machine));
        } else {
            machines.push(turn(machine, of_machine));
            natives.push(turn(native, of_native));
        }
    }
    (natives, machines)
}

/// Fills the caches, and returns the number of futures that take at least `TURN`.
fn futures_in_a_turn(subject: &Subject) -> u32 {
    let mut futures = 100;
    loop {
        let start = Instant::now();
        (subject.run)(futures);
        if start.elapsed() >= TURN {
            return futures;
        }
        futures *= 2;
    }
}

fn turn(subject: &Subject, futures: u32) -> f64 {
    let start = Instant::now();
    (subject.run)(futures);
    start.elapsed().as_secs_f64() / f64::from(futures)
}
