//! The syntax of a function, in one normal form.
//!
//! The arguments of known macros of the standard library become expressions. The arguments of all
//! other macros stay tokens; later stages report them as fallback reasons.
//!
//! - `none_groups` keeps fragments of `macro_rules!` together.
//! - `written_groups` gives groups of an expansion the delimiters of the user's text, for editors.
//! - `macros` parses the arguments of known macros; `names/std_items` has the table of these
//!   macros.
//! - `normalise` rewrites forms that mean the same with and without awaits. `hir` rewrites the
//!   others.
//! - `assertion` keeps the text that an assertion prints, if its condition is rewritten.
//! - `budget` makes awaits charge the budget of the task.

mod none_groups;
mod written_groups;
mod source;
mod format_captures;
mod macros;
mod editions;
mod assertion;
mod captured_self;
mod state_labels;
mod secret_attributes;
mod await_name;
mod rejected_bodies;
mod budget;
mod normalise;

pub(crate) use self::assertion::{can_keep_message, keep_message};
pub(crate) use self::await_name::{await_name, first_text, macro_name};
pub(crate) use self::budget::{TurnPlace, add_turns, charge_awaits, charge_loops_of_blocks};
pub(crate) use self::captured_self::{
    macros_name_self, name_captured_self, names_self, text_with_self,
};
pub(crate) use self::editions::{is_before_edition_2021, may_be_edition_2024, settled};
pub(crate) use self::format_captures::captured;
pub(crate) use self::macros::{
    Arguments, contains_ident, each_argument, may_move_in_call, may_move_in_value, needs_value,
    visible_awaits, words,
};
pub(crate) use self::none_groups::preserve_groups;
pub(crate) use self::normalise::{is_formatted, normalise};
pub(crate) use self::rejected_bodies::{
    forgets_own_await, has_forgotten_await, has_invalid_jump, has_wrong_item, has_wrong_name,
    is_of_value, names_wrong_object,
};
pub(crate) use self::secret_attributes::take_secrets;
pub(crate) use self::source::{
    DeclaredFn, Erasing, ForeignNames, ModuleFunctions, ModuleKey, PlainFunction, argument_count,
    as_written, begins_path, count_machines_before, declared_lifetimes, declares_module,
    declares_type, foreign_names, has_machine, has_other_block, imports_by_glob, imports_only_from,
    is_awaited, is_neutral_function, is_neutral_macro, is_neutral_method, is_std_macro, is_stored,
    known_argument_count, leaves_out_lifetimes, machine_is_named, machines_lead_back,
    may_name_machine, may_share_machine_name, next_word, own_macro, own_primitive, qualified_name,
    signature_leaves_out_lifetimes, source_text, stores_future, take_functions, takes_calls_apart,
    type_leads_to, words_lead_back,
};
pub(crate) use self::state_labels::{
    is_step, take_label, take_label_of, take_label_of_statement, take_step, with_attributes,
    without_labels,
};
pub(crate) use self::written_groups::with_written_groups;
