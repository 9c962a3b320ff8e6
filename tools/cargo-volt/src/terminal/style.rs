//! The styles of the output.
//!
//! Pages contain the styles as escape sequences. `print` removes them if the output is not a
//! terminal, and if `NO_COLOR` is set.

use anstyle::{AnsiColor, Style};

/// A success, such as an explicit machine.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// A result that deserves a look, such as a native machine.
pub(crate) const NOTICE: Style = AnsiColor::Yellow.on_default();
/// A failure.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// The head of a table or of a section.
pub(crate) const HEADING: Style = Style::new().bold().underline();
/// A value in a sentence.
pub(crate) const EMPHASIS: Style = Style::new().bold();
/// A detail.
pub(crate) const FAINT: Style = Style::new().dimmed();

/// Returns the text with a style.
pub(crate) fn styled(style: Style, text: &str) -> String {
    if text.is_empty() || style == Style::new() {
        return text.to_owned();
    }
    format!("{style}{text}{style:#}")
}
