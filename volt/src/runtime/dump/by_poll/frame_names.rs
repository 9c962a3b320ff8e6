//! The names of functions and files in a dump.

use super::frame_origin::{POLL, dependency_path, module_of};

/// The name of an `async fn` whose name is not in the debug information.
pub(super) const UNNAMED_FUNCTION: &str = "async fn";

/// Returns the text of a path: relative to the working folder or to the folder of dependencies.
pub(super) fn shown_path(path: &str) -> &str {
    if let Some(rest) = dependency_path(path) {
        return rest;
    }
    let folder = std::env::current_dir().unwrap_or_default();
    let rest = folder.to_str().and_then(|folder| path.strip_prefix(folder));
    rest.and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
}

/// Returns the name of an `async fn` without its closure, and of a `poll` that of its future.
pub(super) fn shown_name(function: &str, path: &str) -> String {
    let function = function
        .split_once('<')
        .map_or(function, |(name, generics)| match name {
            "" | "&" => function,
            _ if generics.contains(">::") => function,
            name => name,
        });
    if !function.contains("::") {
        return shown_short_name(function, path);
    }
    let of_future = function
        .strip_prefix('<')
        .and_then(|name| name.strip_suffix(POLL));
    let name = of_future
        .or_else(|| machine_of(function))
        .unwrap_or(function);
    let end = name
        .rfind("::{")
        .filter(|end| name[*end..].contains("closure"));
    let name = &name[..end.unwrap_or(name.len())];
    if name.contains("<impl ") {
        return name.to_owned();
    }
    // The attribute puts the function into an unnamed constant, or adds two underscores.
    let name = name.replace("::_::", "::");
    match name.rsplit_once("::__") {
        Some((path, function)) if !function.contains("::") => format!("{path}::{function}"),
        _ => name,
    }
}

/// Returns `true` for the name of a body in a profile with line tables only. The symbol of the
/// function has a path.
pub(super) fn is_unnamed_body(function: &str) -> bool {
    function.starts_with('{') || function == "poll" || is_machine_body(function)
}

/// Returns `true` for the body of a machine that is polled, if its name has no path.
pub(super) fn is_machine_body(function: &str) -> bool {
    let generics = function.strip_prefix("advance<");
    generics.is_some_and(|generics| generics.contains("PollMode<"))
}

/// Returns the machine whose `poll` or `advance` has this name.
pub(super) fn machine_of(function: &str) -> Option<&str> {
    let (_, implementation) = function.split_once("::_::<impl ")?;
    let (implementation, method) = implementation.rsplit_once(">::")?;
    let (interface, machine) = implementation.split_once(" for ")?;
    let is_of_machine = match method {
        "poll" => interface.ends_with("::Future"),
        "advance" => interface.ends_with("::ExplicitMachine"),
        _ => false,
    };
    is_of_machine.then_some(machine)
}

/// Returns the name of a function whose name in the debug information has no path.
fn shown_short_name(function: &str, path: &str) -> String {
    if let Some(module) = module_of(path) {
        return match function {
            "poll" => module,
            _ if function.starts_with('{') => module,
            _ => format!("{module}::{function}"),
        };
    }
    let kind = function
        .trim_start_matches('{')
        .split('#')
        .next()
        .unwrap_or(function);
    match kind {
        "async_fn" => UNNAMED_FUNCTION.to_owned(),
        "async_block" => "async block".to_owned(),
        "async_closure" => "async closure".to_owned(),
        "closure" => "closure".to_owned(),
        _ => function.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{shown_name, shown_path};

    const TOKIO: &str = "/a/registry/src/index.crates.io-19/tokio-1.54.1/src/sync/notify.rs";

    #[test]
    fn names_omit_polls_and_closures() {
        let names = [
            ("app::wait::{{closure}}", "/a/src/main.rs", "app::wait"),
            (
                "app::wait::{{closure}}::{{closure}}",
                "/a/src/main.rs",
                "app::wait::{{closure}}",
            ),
            (
                "app[1f]::wait::{closure#0}",
                "/a/src/main.rs",
                "app[1f]::wait",
            ),
            (
                "<app::Wait as core::future::future::Future>::poll",
                "/a.rs",
                "app::Wait",
            ),
            ("app::Cell<T>::get", "/a.rs", "app::Cell<T>::get"),
            (
                "app::server::__run::{{closure}}",
                "/a.rs",
                "app::server::run",
            ),
            (
                "app::_::<impl core::future::future::Future for app::Wait<T>>::poll",
                "",
                "app::Wait<T>",
            ),
            (
                "app::_::<impl volt::run::ExplicitMachine for app::Wait>::advance",
                "",
                "app::Wait",
            ),
            (
                "app::_::<impl app::Other for app::Wait>::advance",
                "",
                "app::_::<impl app::Other for app::Wait>::advance",
            ),
            ("app::_::list::{{closure}}", "/a/src/main.rs", "app::list"),
            ("advance<app::Wait, bool>", "/a.rs", "advance"),
            ("{async_fn#0}", "/a.rs", "async fn"),
            ("{async_block#2}", "/a.rs", "async block"),
            ("poll", TOKIO, "tokio::sync::notify"),
            ("{closure#5}", TOKIO, "tokio::sync::notify"),
            ("acquire<T>", TOKIO, "tokio::sync::notify::acquire"),
        ];
        for (function, path, expected) in names {
            assert_eq!(shown_name(function, path), expected, "{function}");
        }
    }

    #[test]
    fn path_of_a_dependency_begins_with_its_version() {
        assert_eq!(shown_path(TOKIO), "tokio-1.54.1/src/sync/notify.rs");
    }
}
