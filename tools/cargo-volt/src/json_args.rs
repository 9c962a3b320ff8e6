//! `JsonArgs`: the option `--json` of all commands.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::context::{Context, Outcome};

/// The argument of `--json`.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct JsonArgs {
    /// Print JSON instead of text, or write it to a file in addition to the text: `--json=FILE`
    #[arg(
        long,
        value_name = "FILE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "-",
        help_heading = "Output"
    )]
    json: Option<PathBuf>,
}

impl JsonArgs {
    /// Returns `true` if the standard output gets JSON.
    pub(crate) fn is_printed(&self) -> bool {
        self.json.as_deref() == Some(Path::new("-"))
    }

    /// Returns `true` if a file gets JSON.
    pub(crate) fn has_file(&self) -> bool {
        self.json.is_some() && !self.is_printed()
    }

    /// Writes the text to the file, if one is named.
    pub(crate) fn write_file(&self, text: &str) -> Outcome<()> {
        let Some(file) = self.json.as_deref().filter(|_| self.has_file()) else {
            return Ok(());
        };
        fs::write(file, text).context(|| format!("writing {}", file.display()))
    }
}
