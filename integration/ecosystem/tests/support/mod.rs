//! Functions that all tests of this package use.

use std::time::Duration;

use volt::time::timeout;

/// Waits for the future, but not for ever.
pub(crate) async fn in_time<F: Future>(future: F) -> F::Output {
    timeout(Duration::from_secs(120), future)
        .await
        .expect("it ends")
}
