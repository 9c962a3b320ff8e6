//! The options of `#[state_machine(..)]`.

mod editor;
mod rustdoc;
mod layout_variable;
mod keys;
mod forms;
mod accepted;
mod step_options;
mod older_names;
mod args;

pub(crate) use self::args::{CopyAnswer, LayoutOption, Options, Public, Send};
pub(crate) use self::editor::{REPAIRED, body_in_editor, is_editor};
pub(crate) use self::forms::{CheckForms, Form, Forms};
pub(crate) use self::keys::{parse_options, unknown_word};
pub(crate) use self::layout_variable::{track_layout_variable, tracking_item};
pub(crate) use self::older_names::OlderNames;
pub(crate) use self::rustdoc::is_rustdoc;
pub(crate) use self::step_options::StepOptions;
