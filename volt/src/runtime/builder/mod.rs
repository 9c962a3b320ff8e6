//! The builder of a runtime, and its settings by topic.

mod orphan_policy;
mod setting_checks;
mod companions;
#[expect(
    clippy::module_inception,
    reason = "the file is named for the type it defines"
)]
mod builder;
mod thread_settings;
mod runtime_name;
mod tokio_settings;
#[cfg(feature = "inspect")]
mod inspect_settings;
mod dump_settings;
mod builder_hooks;
mod default_runtimes;

pub use self::builder::Builder;
pub use self::orphan_policy::OrphanPolicy;
