//! Bodies that the compiler rejects for certain.
//!
//! The explicit layout contains the text of a function three times. The compiler reports an error
//! of each copy, unless the messages are equal. So a body with an error that the syntax shows gets
//! the native layout, which contains the body once. This changes no valid function but its layout.

mod forgotten_awaits;
mod forgotten_own_awaits;
mod invalid_jumps;
mod nested_items;
mod wrong_objects;
mod wrong_names;

pub(crate) use self::forgotten_awaits::{has_forgotten_await, is_of_value};
pub(crate) use self::forgotten_own_awaits::forgets_own_await;
pub(crate) use self::invalid_jumps::has_invalid_jump;
pub(crate) use self::nested_items::has_wrong_item;
pub(crate) use self::wrong_names::has_wrong_name;
pub(crate) use self::wrong_objects::names_wrong_object;
