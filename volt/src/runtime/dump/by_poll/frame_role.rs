//! `FrameRole`: the part that a function on the stack has in a poll.

use super::frame_origin::POLL;

/// The part that a function has in a poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameRole {
    /// The body of an `async` function or block, or of a machine. A closure has the same name.
    Body,
    /// The `poll` of another future.
    Poll,
    /// Another function.
    Other,
}

impl FrameRole {
    pub(super) fn of(function: &str) -> Self {
        let is_closure = function.ends_with("::{{closure}}")
            || function.starts_with('{')
            || function.rsplit("::").next().is_some_and(is_numbered);
        let is_advance = function.starts_with("advance<") || function.ends_with(">::advance");
        if is_closure || is_advance {
            Self::Body
        } else if is_named_poll(function) || function.ends_with(POLL) {
            Self::Poll
        } else {
            Self::Other
        }
    }
}

/// Returns `true` for `{closure#0}`, as functions without generics are named.
fn is_numbered(part: &str) -> bool {
    part.starts_with("{closure#") || part.starts_with("{async_")
}

/// Returns `true` for a function named `poll`, with or without a path and generics.
fn is_named_poll(function: &str) -> bool {
    let name = function.strip_suffix('>').map_or(function, |generic| {
        generic.split_once('<').map_or(generic, |(name, _)| name)
    });
    name == "poll" || name.ends_with("::poll")
}

#[cfg(test)]
mod tests {
    use super::FrameRole;

    #[test]
    fn role_follows_from_the_name() {
        let roles = [
            ("app::relay::{{closure}}", FrameRole::Body),
            ("app[1f]::relay::{closure#0}", FrameRole::Body),
            ("{async_fn#0}", FrameRole::Body),
            ("advance<app::Relay, bool>", FrameRole::Body),
            (
                "app::_::<impl volt::run::ExplicitMachine for app::Relay>::advance",
                FrameRole::Body,
            ),
            ("poll", FrameRole::Poll),
            ("poll<u32>", FrameRole::Poll),
            (
                "<core::future::ready::Ready<T> as core::future::future::Future>::poll",
                FrameRole::Poll,
            ),
            ("futures_util::PollFn::poll", FrameRole::Poll),
            ("app::pollute", FrameRole::Other),
            ("app::poll::parse", FrameRole::Other),
            ("app::parse<T>", FrameRole::Other),
        ];
        for (function, role) in roles {
            assert_eq!(FrameRole::of(function), role, "{function}");
        }
    }
}
