//! Names: the identifiers of the expansion, and the items of the standard library that the macro
//! knows by name.

mod std_items;
mod future_items;
mod pin_macros;
mod branch_macros;
mod idents;
mod token_list;

pub(crate) use self::branch_macros::{BranchMacro, awaits_branches, branch_macro, has_arms};
pub(crate) use self::future_items::{combines_futures, is_neutral_bound, keeps_future};
pub(crate) use self::idents::{
    RECEIVER, any_token, as_if_written, declared_by_user, each_token, end_of, expansion,
    ident_span, in_place_of, is_local, is_mark, is_of_expansion, kebab, label, local, located_at,
    machine, machine_text, own_name, parameter, path_at, receiver, run_function, tokens_at,
    upper_camel, user_name, within_user,
};
pub(crate) use self::pin_macros::{pins_locals, pins_value};
pub(crate) use self::std_items::{
    BOXES, FUTURES, Known, borrows_receiver, boxes_future, clones, crates_of_macro,
    formats_by_edition, is_crate_of_macros, is_dbg, is_event, is_future, is_json, is_matches,
    is_owner, is_poll_fn, is_primitive, is_send, is_variant, is_variant_of_core, known,
    known_names, last_of, names_not_send, panics, prints_own_source, prints_source, returns_copy,
    returns_owned, returns_reference, takes_moved, takes_tokens,
};
pub(crate) use self::token_list::TokenList;
