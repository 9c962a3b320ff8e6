//! The step at which all workflows are when their engine ends.

use std::future::pending;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};

static IS_OPEN: AtomicBool = AtomicBool::new(false);
static ARRIVALS: AtomicU64 = AtomicU64::new(0);

/// A step that does not end until the gate is open.
pub(crate) async fn pass() -> u64 {
    ARRIVALS.fetch_add(1, SeqCst);
    if !IS_OPEN.load(SeqCst) {
        pending::<()>().await;
    }
    1
}

/// Opens or closes the gate for later arrivals, and forgets the earlier ones.
pub(super) fn set_open(is_open: bool) {
    IS_OPEN.store(is_open, SeqCst);
    ARRIVALS.store(0, SeqCst);
}

/// Returns the number of arrivals.
pub(super) fn arrivals() -> u64 {
    ARRIVALS.load(SeqCst)
}
