//! Costs of several versions, measured by turns.

use std::io;

use crate::sample::Sample;

/// Compiles the versions in alternating order, after one compilation of each that is not measured.
pub(crate) fn measure<V>(
    versions: &mut [V],
    runs: usize,
    compile: impl Fn(&mut V) -> io::Result<f64>,
) -> io::Result<Vec<Sample>> {
    for version in &mut *versions {
        compile(version)?;
    }
    let mut samples = vec![Sample::default(); versions.len()];
    for _ in 0..runs {
        for (version, sample) in versions.iter_mut().zip(&mut samples) {
            sample.push(compile(version)?);
        }
    }
    Ok(samples)
}

/// Returns the seconds of each version, and their ratio to the first version.
pub(crate) fn cells(samples: &[Sample]) -> String {
    let first = samples[0].median();
    let cell = |sample: &Sample| {
        let (median, spread) = (sample.median(), 100.0 * sample.spread());
        format!(" {median:.2} ±{spread:.0} % ({:.1}×)", median / first)
    };
    samples.iter().map(cell).collect::<Vec<_>>().join(" |")
}

/// Prints the head of a table with a column for each version.
pub(crate) fn print_head<'a>(versions: impl Iterator<Item = &'a str> + Clone) {
    let names: Vec<_> = versions.clone().map(|name| format!(" {name}")).collect();
    let rules: Vec<_> = versions.map(|_| " ---:").collect();
    println!("| command |{} |", names.join(" |"));
    println!("| --- |{} |", rules.join(" |"));
}
