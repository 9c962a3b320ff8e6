//! Output for people: styles, tables, progress bars.

mod style;
mod print;
mod progress;
mod text_table;

pub(crate) use self::print::print;
pub(crate) use self::progress::Progress;
pub(crate) use self::style::{BAD, EMPHASIS, FAINT, GOOD, NOTICE, styled};
pub(crate) use self::text_table::{Align, TextTable};
