//! The limits of the operations.

/// The instructions of a round, and the sizes of the future in bytes.
pub(crate) struct Count {
    pub(crate) name: &'static str,
    pub(crate) plain: f64,
    pub(crate) machine: f64,
    pub(crate) sizes: [usize; 2],
}

/// The limits of each operation: the instructions of the plain function and of the machine. They
/// are 2 % above the counts of 2026-11-29, but at most 0.5 % above those of 4edfce30:
/// `docs/performance/operations.md`. A machine with a timeout has 0.8 %, because a timeout begins a
/// budget in other executors (record 0227).
const LIMITS: [(&str, f64, f64); 7] = [
    ("yield", 236.0, 247.0),
    ("spawn and await", 1_510.0, 1_560.0),
    ("race of two", 362.0, 371.0),
    ("join of two", 413.0, 412.0),
    ("join of four", 1_572.0, 1_632.0),
    ("timeout", 1_173.0, 1_211.0),
    ("FutureGroup of 8", 3_810.0, 4_067.0),
];

/// Checks that each operation is within its limits.
pub(crate) fn check(counts: &[Count]) -> Result<(), String> {
    let mut exceeded = String::new();
    for count in counts {
        let limits = LIMITS.iter().find(|(name, ..)| *name == count.name);
        let (_, plain, machine) = limits.ok_or_else(|| format!("{}: no limit", count.name))?;
        for (kind, counted, limit) in [
            ("plain", count.plain, plain),
            ("machine", count.machine, machine),
        ] {
            if counted > *limit {
                let name = count.name;
                exceeded += &format!(
                    "{name}, {kind}: {counted:.1} instructions, where {limit} is the limit\n"
                );
            }
        }
    }
    if exceeded.is_empty() {
        Ok(())
    } else {
        Err(exceeded)
    }
}
