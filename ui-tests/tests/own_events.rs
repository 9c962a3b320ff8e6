//! Macros with the names of logging events, and modules with the names of their crates.

use volt::machine::{Layout, StateMachine};

async fn pause() {
    volt::task::yield_now().await;
}

async fn store(text: String) -> usize {
    std::future::ready(text.len()).await
}

/// A module with the name of a crate, whose macros await, return and declare.
mod log {
    macro_rules! info {
        ($($argument:tt)*) => { store(format!($($argument)*)).await };
    }
    macro_rules! error {
        ($($argument:tt)*) => { return format!($($argument)*) };
    }
    macro_rules! debug {
        ($name:ident, $($argument:tt)*) => { let $name = format!($($argument)*); };
    }
    pub(crate) use {debug, error, info};
}

#[volt::state_machine]
async fn awaits(name: String) -> usize {
    let stored = log::info!("{name}");
    crate::pause().await;
    stored + self::log::info!("{name}!") + name.len()
}

#[volt::state_machine]
async fn returns(name: String) -> String {
    crate::pause().await;
    log::error!("left {name}")
}

#[volt::state_machine]
async fn declares(name: String) -> String {
    log::debug!(text, "said {name}");
    crate::pause().await;
    text
}

mod importing {
    use super::log::info;
    use super::store;

    #[volt::state_machine]
    pub(super) async fn awaits_imported(name: String) -> usize {
        let stored = info!("{name}");
        crate::pause().await;
        stored + name.len()
    }
}

mod within_glob {
    use super::*;

    #[volt::state_machine]
    pub(super) async fn awaits_of_glob(name: String) -> usize {
        crate::pause().await;
        log::info!("{name}") + name.len()
    }
}

mod hiding {
    use tracing::debug;

    /// The macro of the body hides the imported one.
    #[volt::state_machine]
    pub(super) async fn counts(name: String) -> usize {
        let mut count = name.len();
        macro_rules! debug {
            ($($argument:tt)*) => {
                count += 1
            };
        }
        debug!("{name}");
        crate::pause().await;
        debug!("{name}");
        count
    }

    #[volt::state_machine]
    pub(super) async fn not_hidden(name: String) -> usize {
        debug!("{name}");
        crate::pause().await;
        name.len()
    }
}

mod hiding_a_glob {
    #[expect(unused_imports, reason = "its macro is hidden")]
    use tracing::*;

    macro_rules! warn {
        ($($argument:tt)*) => { crate::store(format!($($argument)*)).await };
    }

    #[volt::state_machine]
    pub(super) async fn awaits_hidden(name: String) -> usize {
        crate::pause().await;
        warn!("{name}") + name.len()
    }
}

mod global {
    mod tracing {}

    #[volt::state_machine]
    pub(super) async fn of_the_crate(name: String) -> usize {
        ::tracing::warn!("{name}");
        crate::pause().await;
        name.len()
    }
}

mod two_crates {
    use tracing::warn;

    #[expect(dead_code, reason = "its import is the only one of the body")]
    fn other() {
        use super::log::info as warn;
        use super::store;
        drop(async { warn!("inner") });
    }

    #[volt::state_machine]
    pub(super) async fn warned(name: String) -> usize {
        warn!("{name}");
        crate::pause().await;
        name.len()
    }
}

mod by_glob {
    use tracing::*;

    #[volt::state_machine]
    pub(super) async fn traced(name: String) -> usize {
        info!("{name} begins");
        crate::pause().await;
        debug!("{} ends", name);
        name.len()
    }
}

fn text() -> String {
    "ab".to_owned()
}

#[test]
fn macros_of_own_modules_await_and_return() {
    assert_eq!(volt::block_on(awaits(text())), 7);
    assert_eq!(volt::block_on(returns(text())), "left ab");
    assert_eq!(volt::block_on(declares(text())), "said ab");
    assert_eq!(volt::block_on(importing::awaits_imported(text())), 4);
    assert_eq!(volt::block_on(within_glob::awaits_of_glob(text())), 4);
    for layout in [Awaits::LAYOUT, Returns::LAYOUT, Declares::LAYOUT] {
        assert!(matches!(layout, Layout::Native { .. }));
    }
}

#[test]
fn macro_of_a_module_hides_an_imported_one() {
    assert_eq!(volt::block_on(hiding::counts(text())), 4);
    assert_eq!(volt::block_on(hiding::not_hidden(text())), 2);
    assert_eq!(volt::block_on(hiding_a_glob::awaits_hidden(text())), 4);
    assert_eq!(volt::block_on(two_crates::warned(text())), 2);
}

#[test]
fn path_of_a_crate_keeps_a_machine_explicit() {
    assert_eq!(global::OfTheCrate::LAYOUT, Layout::Explicit);
    assert_eq!(volt::block_on(global::of_the_crate(text())), 2);
}

#[test]
fn event_of_a_glob_keeps_a_machine_explicit() {
    assert_eq!(by_glob::Traced::LAYOUT, Layout::Explicit);
    assert_eq!(volt::block_on(by_glob::traced(text())), 2);
}
