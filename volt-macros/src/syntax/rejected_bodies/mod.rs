//! Bodies that the compiler rejects for certain.
//!
//! The explicit layout contains the text of a function three times. The compiler reports an error
//! of each copy, unless the messages are equal. So a body with an error that the syntax shows gets
//! the native layout, which contains the body once. This changes no valid function but its layout.

mod invalid_jumps;
mod wrong_names;

pub(crate) use self::invalid_jumps::has_invalid_jump;
pub(crate) use self::wrong_names::has_wrong_name;
