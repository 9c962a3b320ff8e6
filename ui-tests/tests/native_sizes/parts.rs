//! Arguments and an awaited function of machines whose sizes are compared.

use super::turn::turn;

pub(crate) async fn send<T>(value: T) -> usize {
    turn().await;
    size_of_val(&value)
}

/// Something with a destructor.
pub(crate) struct Part(pub(crate) [u64; 6]);

impl Drop for Part {
    fn drop(&mut self) {
        self.0[0] = 0;
    }
}

pub(crate) fn part() -> Part {
    Part([1; 6])
}
