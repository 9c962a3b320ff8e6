//! `FrameOrigin`: the code to which a function on the stack belongs.
//!
//! Profiles with line tables only have no paths in the names of functions, so the file decides. The
//! name decides where the file is unknown.

/// The code to which a function belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameOrigin {
    /// The program, or a crate that is built from a local path.
    Program,
    /// A crate of a registry or of another repository, or a future of this runtime.
    Dependency,
    /// A step between two futures: a function of the standard library, or one that the runtime
    /// calls for a future. It is not shown.
    Plumbing,
    /// The poll of a task or of the future of `block_on` by the runtime. The future is below it.
    TaskPoll,
    /// The clone of a waker.
    Clone,
}

impl FrameOrigin {
    pub(super) fn of(function: &str, path: &str) -> Self {
        if path.starts_with("/rustc/") || path.contains("/lib/rustlib/src/") || is_of_libc(path) {
            return Self::Plumbing;
        }
        if let Some(file) = path.strip_prefix(concat!(env!("CARGO_MANIFEST_DIR"), "/src/")) {
            return Self::of_volt(function, file);
        }
        if of_companion(path).is_some() {
            return Self::of_future(function);
        }
        if dependency_path(path).is_some() {
            // The clone of the waker is in a closure of these files.
            let is_step = path.ends_with("/atomic_waker.rs");
            return if is_step {
                Self::Plumbing
            } else {
                Self::Dependency
            };
        }
        let name = function.trim_start_matches(['<', '&', '_']);
        let is_in = |crates: &[&str]| crates.iter().any(|prefix| name.starts_with(prefix));
        if is_in(&[
            "volt::task::memory::cell::",
            "volt::task::inspect::recording_waker::poll_future",
        ]) {
            Self::TaskPoll
        } else if is_in(&[
            "volt::task::reference::",
            "volt::task::inspect::recording_waker::",
            "core::task::wake::Waker as core::clone",
        ]) {
            Self::Clone
        } else if is_in(&["core::", "std::", "alloc::", "rust_try", "volt::machine::"]) {
            Self::Plumbing
        } else if is_in(&["volt::", "volt_combinators::", "volt_inspect::"]) {
            Self::of_future(function)
        } else {
            Self::Program
        }
    }

    /// Returns the origin of a function in a file of this crate.
    fn of_volt(function: &str, file: &str) -> Self {
        if file == "task/memory/cell.rs" {
            Self::TaskPoll
        } else if file == "task/inspect/recording_waker.rs" {
            if function.contains("clone") {
                Self::Clone
            } else {
                Self::TaskPoll
            }
        } else if file.starts_with("task/reference/") {
            Self::Clone
        } else if ["machine/", "loom/", "task/memory/", "driver/"]
            .iter()
            .any(|folder| file.starts_with(folder))
        {
            Self::Plumbing
        } else {
            Self::of_future(function)
        }
    }

    /// Returns the origin of a function of this crate or of its companions, which have functions of
    /// their own between the polls of futures.
    fn of_future(function: &str) -> Self {
        let is_poll =
            function == "poll" || function.starts_with("poll<") || function.ends_with(POLL);
        if is_poll {
            Self::Dependency
        } else {
            Self::Plumbing
        }
    }
}

/// The end of the name of the `poll` of a future.
pub(super) const POLL: &str = " as core::future::future::Future>::poll";

/// Returns `true` for a file of the C library, whose debug information the system may have.
fn is_of_libc(path: &str) -> bool {
    let is_c = [".c", ".h", ".S"].iter().any(|end| path.ends_with(end));
    is_c && ["/sysdeps/", "./nptl/", "./misc/"]
        .iter()
        .any(|folder| path.contains(folder))
}

/// Returns the path in a crate that this crate is released with.
fn of_companion(path: &str) -> Option<(&'static str, &str)> {
    for (folder, name) in [
        ("/volt-combinators", "volt_combinators"),
        ("/volt-inspect", "volt_inspect"),
    ] {
        if let Some((_, rest)) = path.split_once(folder) {
            return Some((name, rest.split_once("/src/")?.1));
        }
    }
    None
}

/// Returns the path from the folder of a dependency on, or `None` for other files.
pub(super) fn dependency_path(path: &str) -> Option<&str> {
    let folders = ["/registry/src/", "/git/checkouts/"];
    let mut rest = folders
        .iter()
        .filter_map(|folder| Some(path.split_once(folder)?.1));
    let rest = rest.next()?;
    Some(rest.split_once('/').map_or(rest, |(_, rest)| rest))
}

/// Returns the crate and the module of a file of a dependency, such as `tokio::sync::notify`.
pub(super) fn module_of(path: &str) -> Option<String> {
    let volt = path.strip_prefix(concat!(env!("CARGO_MANIFEST_DIR"), "/src/"));
    let (krate, file) = match volt
        .map(|file| ("volt", file))
        .or_else(|| of_companion(path))
    {
        Some((krate, file)) => (krate.to_owned(), file),
        None => {
            let (folder, file) = dependency_path(path)?.split_once("/src/")?;
            // The folder of a registry is the name and the version.
            let name = folder.rsplit('/').next().unwrap_or(folder);
            let end = name
                .find(|c: char| c.is_ascii_digit())
                .unwrap_or(name.len());
            let name = name[..end].trim_end_matches('-');
            (name.replace('-', "_"), file)
        }
    };
    let module = file.strip_suffix(".rs").unwrap_or(file);
    let parts = module
        .split('/')
        .filter(|part| !matches!(*part, "lib" | "mod"));
    let parts = std::iter::once(&*krate).chain(parts);
    Some(parts.collect::<Vec<_>>().join("::"))
}

#[cfg(test)]
mod tests {
    use super::FrameOrigin;

    #[test]
    fn registration_of_a_waker_is_a_step() {
        let tokio = "/a/registry/src/index.crates.io-19/tokio-1.54.1/src/sync";
        let origin = |file: &str| FrameOrigin::of("into_waker", &format!("{tokio}/{file}"));
        assert_eq!(origin("task/atomic_waker.rs"), FrameOrigin::Plumbing);
        assert_eq!(origin("mpsc/bounded.rs"), FrameOrigin::Dependency);
    }
}
