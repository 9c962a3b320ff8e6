//! Limits for the instructions of rustc for each machine.

use std::io;

use crate::package::Package;
use crate::source::{AUTOMATIC, Bodies, INSTRUMENT, NATIVE, Version};

/// The number of functions whose instructions are counted.
const FUNCTIONS: usize = 20;

/// The limits: a version, and its most instructions for each function, as multiples of those of
/// `tracing::instrument`.
const LIMITS: [(Version, f64); 2] = [(NATIVE, 1.00), (AUTOMATIC, 1.90)];

/// Counts the instructions, and fails if a version takes more than its limit.
pub(crate) fn check() -> io::Result<()> {
    let count = |version| Package::new(Bodies::TwoAwaits, version, FUNCTIONS)?.instructions();
    let base = count(INSTRUMENT)?;
    println!("{}: {} M instructions", INSTRUMENT.name, base / 1_000_000);
    let mut exceeded = Vec::new();
    for (version, limit) in LIMITS {
        let instructions = count(version)?;
        let ratio = instructions as f64 / base as f64;
        let text = format!(
            "{}: {} M instructions, {ratio:.3} times, where {limit:.2} is the limit",
            version.name,
            instructions / 1_000_000,
        );
        println!("{text}");
        if ratio > limit {
            exceeded.push(text);
        }
    }
    if exceeded.is_empty() {
        return Ok(());
    }
    Err(io::Error::other(exceeded.join("\n")))
}
