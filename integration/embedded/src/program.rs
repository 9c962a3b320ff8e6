//! The program of the station.

use crate::clock::ticks;

/// Where it is connected.
#[derive(Clone, Copy, Debug)]
pub struct Pins {
    /// Reads the sensor.
    pub sensor: fn() -> u16,
    /// Sets the line on which it reports.
    pub line: fn(bool),
}

/// How long the sensor takes to warm up, in ticks.
const WARM_UP: u32 = 50;

/// Reports the median of nine samples, for a number of times, and returns the sum of the reports.
#[cfg_attr(
    not(any(feature = "native", feature = "plain")),
    volt::state_machine(explicit)
)]
#[cfg_attr(
    all(feature = "native", not(feature = "plain")),
    volt::state_machine(native)
)]
pub async fn station(pins: &'static Pins, rounds: u32) -> u32 {
    let mut sum: u32 = 0;
    let mut round: u32 = 0;
    while round < rounds {
        ticks(WARM_UP).await;
        let mut samples: [u16; 9] = [0; 9];
        let mut taken: usize = 0;
        while taken < 9 {
            samples[taken] = (pins.sensor)();
            taken += 1;
            ticks(2).await;
        }
        samples.sort_unstable();
        let median: u16 = samples[4];
        transmit(pins, (median >> 8) as u8).await;
        transmit(pins, median as u8).await;
        sum = sum.wrapping_add(u32::from(median));
        round += 1;
    }
    sum
}

/// Sends a byte bit by bit, the lowest first. A bit takes one tick. A low bit comes before them, a
/// high bit after them.
#[cfg_attr(
    not(any(feature = "native", feature = "plain")),
    volt::state_machine(explicit)
)]
#[cfg_attr(
    all(feature = "native", not(feature = "plain")),
    volt::state_machine(native)
)]
pub async fn transmit(pins: &'static Pins, byte: u8) {
    (pins.line)(false);
    ticks(1).await;
    let mut bit: u8 = 0;
    while bit < 8 {
        (pins.line)(byte >> bit & 1 == 1);
        ticks(1).await;
        bit += 1;
    }
    (pins.line)(true);
    ticks(1).await;
}
