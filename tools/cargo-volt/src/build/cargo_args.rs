//! The options that all commands pass to cargo.

use std::time::Duration;

use clap::Args;

/// Options of cargo.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct CargoArgs {
    /// Only this package; may be repeated [default: all, or the one at the path]
    #[arg(
        short = 'p',
        long = "package",
        value_name = "NAME",
        help_heading = "Build"
    )]
    pub(crate) packages: Vec<String>,
    /// Not this package; may be repeated
    #[arg(long = "exclude", value_name = "NAME", help_heading = "Build")]
    pub(crate) excluded: Vec<String>,
    /// Features to enable, separated by commas
    #[arg(long, value_name = "LIST", help_heading = "Build")]
    features: Vec<String>,
    /// Enable all features
    #[arg(long, help_heading = "Build")]
    all_features: bool,
    /// Do not enable the default features
    #[arg(long, help_heading = "Build")]
    no_default_features: bool,
    /// Number of jobs of cargo
    #[arg(long, value_name = "N", help_heading = "Build")]
    pub(crate) jobs: Option<u32>,
    /// Do not use the network
    #[arg(long, help_heading = "Build")]
    pub(crate) offline: bool,
    /// Time limit of each build, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "1800", value_parser = seconds, help_heading = "Build")]
    pub(crate) build_limit: Duration,
}

impl CargoArgs {
    /// Returns the options that choose features, as cargo takes them.
    pub(crate) fn features(&self) -> Vec<String> {
        let lists = self.features.iter();
        let lists = lists.flat_map(|list| ["--features".to_owned(), list.clone()]);
        let all = self.all_features.then(|| "--all-features".to_owned());
        let none = self.no_default_features;
        let none = none.then(|| "--no-default-features".to_owned());
        lists.chain(all).chain(none).collect()
    }
}

/// Reads a number of seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, std::num::ParseIntError> {
    text.parse().map(Duration::from_secs)
}
