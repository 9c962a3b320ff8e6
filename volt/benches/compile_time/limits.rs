//! Limits for each machine: the instructions of rustc, and the bytes of machine code.

use std::io;

use crate::package::{self, Package};
use crate::source::{
    AUTOMATIC, BESIDE_STORED, Bodies, EXPLICIT, INSTRUMENT, NATIVE, PLAIN, STORED, Version,
};

/// The number of functions whose instructions are counted.
const FUNCTIONS: usize = 20;

/// The limits: a version, and its most instructions for each function, as multiples of those of
/// `tracing::instrument`.
const LIMITS: [(Version, f64); 2] = [(NATIVE, 1.00), (AUTOMATIC, 1.90)];

/// The limits of machines with `derive(Serialize, Deserialize)`, as multiples of the instructions
/// of explicit machines without it.
const STORED_LIMITS: [(Bodies, f64); 2] = [
    (Bodies::StoredTwoAwaits, 1.25),
    (Bodies::StoredShapes, 1.25),
];

/// The number of functions whose machine code is measured.
const CODE_FUNCTIONS: usize = 50;

/// The limits: a version, and its most bytes of machine code, as multiples of those of plain
/// functions.
const CODE_LIMITS: [(Version, f64); 2] = [(NATIVE, 2.00), (AUTOMATIC, 1.30)];

/// The limit of functions that are all explicit.
const EXPLICIT_CODE_LIMIT: [(Version, f64); 1] = [(EXPLICIT, 1.10)];

/// The same limits with the feature `rt`, with which types are registered.
const RUNTIME_CODE_LIMITS: [(Version, f64); 2] = [(NATIVE, 3.75), (AUTOMATIC, 2.35)];
const RUNTIME_EXPLICIT_CODE_LIMIT: [(Version, f64); 1] = [(EXPLICIT, 1.95)];

/// Counts the instructions, and fails if a version takes more than its limit.
pub(crate) fn check() -> io::Result<()> {
    let count = |version| Package::new(Bodies::TwoAwaits, version, FUNCTIONS)?.instructions();
    compare(INSTRUMENT, &LIMITS, "instructions", count)?;
    check_stored()
}

/// Counts the instructions of machines that can be stored, and fails if they exceed their limit.
pub(crate) fn check_stored() -> io::Result<()> {
    for (bodies, limit) in STORED_LIMITS {
        println!("{bodies:?}:");
        let count = |version| Package::new(bodies, version, FUNCTIONS)?.instructions();
        compare(BESIDE_STORED, &[(STORED, limit)], "instructions", count)?;
    }
    Ok(())
}

/// Measures the machine code, and fails if a version takes more than its limit.
pub(crate) fn check_code() -> io::Result<()> {
    let (all, explicit) = if package::has_runtime() {
        (&RUNTIME_CODE_LIMITS, &RUNTIME_EXPLICIT_CODE_LIMIT)
    } else {
        (&CODE_LIMITS, &EXPLICIT_CODE_LIMIT)
    };
    check_code_of(Bodies::Shapes, all)?;
    check_code_of(Bodies::ExplicitShapes, explicit)
}

fn check_code_of(bodies: Bodies, limits: &[(Version, f64)]) -> io::Result<()> {
    let code = |version, functions| Package::new(bodies, version, functions)?.code();
    let empty = code(PLAIN, 0)?;
    compare(PLAIN, limits, "bytes of code", |version| {
        Ok(code(version, CODE_FUNCTIONS)?.without(empty).text)
    })
}

/// Compares the measured number of each version with that of `base`.
fn compare(
    base: Version,
    limits: &[(Version, f64)],
    unit: &str,
    measured: impl Fn(Version) -> io::Result<u64>,
) -> io::Result<()> {
    let of_base = measured(base)?;
    println!("{}: {of_base} {unit}", base.name);
    let mut exceeded = Vec::new();
    for &(version, limit) in limits {
        let number = measured(version)?;
        let ratio = number as f64 / of_base as f64;
        let text = format!(
            "{}: {number} {unit}, {ratio:.3} times, where {limit:.2} is the limit",
            version.name,
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
