//! The functions; `subject!` decides what they become.

mod arguments;
mod branches;
mod drops;
mod loops;
mod phases;
mod questions;
mod small;
mod sockets;

/// Every function's name and the size of its future, by theme.
pub(crate) fn themes() -> Vec<(&'static str, Vec<(&'static str, usize)>)> {
    vec![
        ("small ones", small::sizes()),
        ("arguments", arguments::sizes()),
        ("`?`", questions::sizes()),
        ("gone before the await", drops::sizes()),
        ("phases", phases::sizes()),
        ("branches", branches::sizes()),
        ("loops", loops::sizes()),
        ("sockets", sockets::sizes()),
    ]
}
