//! Rules about the language of comments, pages, names and messages.

pub(crate) mod messages;
pub(crate) mod openings;
pub(crate) mod sentences;
pub(crate) mod test_names;
pub(crate) mod width;
pub(crate) mod words;
