//! rayon, where the tasks are functions that join.

/// The global pool of rayon, with as many threads as the others have.
pub(crate) struct OnRayon;

impl OnRayon {
    pub(crate) const NAME: &'static str = "rayon";

    pub(crate) fn start(workers: usize) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(workers);
        // An earlier start used the same number of threads.
        let _ = pool.build_global();
    }
}
