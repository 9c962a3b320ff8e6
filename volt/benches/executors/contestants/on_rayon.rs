//! rayon, where the tasks are functions that join.

/// rayon's own pool, with as many threads as the others have.
pub(crate) struct OnRayon;

impl OnRayon {
    pub(crate) const NAME: &'static str = "rayon";

    pub(crate) fn start(workers: usize) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(workers);
        // Whoever started it before did so with as many.
        let _ = pool.build_global();
    }
}
