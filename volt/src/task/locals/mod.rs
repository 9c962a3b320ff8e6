//! Task-local values, and the futures that set them.

mod task_local_storage;
mod local_key;
mod scoped;

pub use self::local_key::{LocalKey, OutOfScope};
pub use self::scoped::{Scope, scope};
pub use self::task_local_storage::TaskLocalStorage;
