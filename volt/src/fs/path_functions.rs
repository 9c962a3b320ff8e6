//! The functions that are given a path.

use std::fs::{Metadata, Permissions};
use std::path::{Path, PathBuf};

use super::operation::Operation;

/// Declares functions of one path.
macro_rules! of_path {
    ($($(#[$attribute:meta])* $name:ident -> $Output:ty;)*) => {$(
        $(#[$attribute])*
        ///
        /// # Errors
        ///
        #[doc = concat!("Fails as [`std::fs::", stringify!($name), "`] does.")]
        #[track_caller]
        pub fn $name<P>(path: P) -> Operation<P, PathBuf, $Output>
        where
            P: AsRef<Path>,
        {
            let owned = path.as_ref().to_owned();
            Operation::new(path, owned, |path| std::fs::$name(path))
        }

        #[doc = concat!("The future of [`", stringify!($name), "`](fn@", stringify!($name), "), under the function's own name.")]
        #[allow(
            non_camel_case_types,
            reason = "the type stands under its function's name"
        )]
        pub type $name<P> = Operation<P, PathBuf, $Output>;
    )*};
}

/// Declares functions of two paths.
macro_rules! of_two_paths {
    ($($(#[$attribute:meta])* $name:ident -> $Output:ty;)*) => {$(
        $(#[$attribute])*
        ///
        /// # Errors
        ///
        #[doc = concat!("Fails as [`std::fs::", stringify!($name), "`] does.")]
        #[track_caller]
        pub fn $name<P, Q>(from: P, to: Q) -> Operation<(P, Q), (PathBuf, PathBuf), $Output>
        where
            P: AsRef<Path>,
            Q: AsRef<Path>,
        {
            let paths = (from.as_ref().to_owned(), to.as_ref().to_owned());
            Operation::new((from, to), paths, |(from, to)| std::fs::$name(from, to))
        }

        #[doc = concat!("The future of [`", stringify!($name), "`](fn@", stringify!($name), "), under the function's own name.")]
        #[allow(
            non_camel_case_types,
            reason = "the type stands under its function's name"
        )]
        pub type $name<P, Q> = Operation<(P, Q), (PathBuf, PathBuf), $Output>;
    )*};
}

of_path! {
    /// The path without links and without `..`, from the root on.
    canonicalize -> PathBuf;
    /// Makes a folder.
    create_dir -> ();
    /// Makes a folder and those that it lies in.
    create_dir_all -> ();
    /// What the system knows of a file; of a link, what it knows of the file that it leads to.
    metadata -> Metadata;
    /// Everything that is in a file.
    read -> Vec<u8>;
    /// Where a link leads to.
    read_link -> PathBuf;
    /// Everything that is in a file, as text.
    read_to_string -> String;
    /// Removes an empty folder.
    remove_dir -> ();
    /// Removes a folder and all that is in it.
    remove_dir_all -> ();
    /// Removes a file.
    remove_file -> ();
    /// What the system knows of a file, or of a link itself.
    symlink_metadata -> Metadata;
}

of_two_paths! {
    /// Copies a file, and returns how many bytes that were.
    copy -> u64;
    /// Gives a file another name beside its own.
    hard_link -> ();
    /// Gives a file or folder another name instead of its own.
    rename -> ();
}

/// Whether there is such a file or folder.
///
/// # Errors
///
/// Fails as [`std::fs::exists`] does.
#[track_caller]
pub fn try_exists<P>(path: P) -> Operation<P, PathBuf, bool>
where
    P: AsRef<Path>,
{
    let owned = path.as_ref().to_owned();
    Operation::new(path, owned, std::fs::exists)
}

/// The future of [`try_exists`](fn@try_exists), under the function's own name.
#[allow(
    non_camel_case_types,
    reason = "the type stands under its function's name"
)]
pub type try_exists<P> = Operation<P, PathBuf, bool>;

/// Writes a file anew, with these bytes in it.
///
/// # Errors
///
/// Fails as [`std::fs::write`] does.
#[track_caller]
pub fn write<P, C>(path: P, contents: C) -> Operation<P, (PathBuf, Vec<u8>), ()>
where
    P: AsRef<Path>,
    C: AsRef<[u8]>,
{
    let file = (path.as_ref().to_owned(), contents.as_ref().to_owned());
    Operation::new(path, file, |(path, contents)| {
        std::fs::write(path, contents)
    })
}

/// The future of [`write`](fn@write), under the function's own name.
#[allow(
    non_camel_case_types,
    reason = "the type stands under its function's name"
)]
pub type write<P> = Operation<P, (PathBuf, Vec<u8>), ()>;

/// Sets who may do what with a file.
///
/// # Errors
///
/// Fails as [`std::fs::set_permissions`] does.
#[track_caller]
pub fn set_permissions<P>(
    path: P,
    permissions: Permissions,
) -> Operation<P, (PathBuf, Permissions), ()>
where
    P: AsRef<Path>,
{
    let change = (path.as_ref().to_owned(), permissions);
    Operation::new(path, change, |(path, to)| {
        std::fs::set_permissions(path, to)
    })
}

/// The future of [`set_permissions`](fn@set_permissions), under the function's own name.
#[allow(
    non_camel_case_types,
    reason = "the type stands under its function's name"
)]
pub type set_permissions<P> = Operation<P, (PathBuf, Permissions), ()>;

/// Makes a link that leads to `original`.
///
/// # Errors
///
/// Fails as [`std::os::unix::fs::symlink`] does.
#[cfg(unix)]
#[track_caller]
pub fn symlink<P, Q>(original: P, link: Q) -> Operation<(P, Q), (PathBuf, PathBuf), ()>
where
    P: AsRef<Path>,
    Q: AsRef<Path>,
{
    let paths = (original.as_ref().to_owned(), link.as_ref().to_owned());
    Operation::new((original, link), paths, |(original, link)| {
        std::os::unix::fs::symlink(original, link)
    })
}

/// The future of [`symlink`](fn@symlink), under the function's own name.
#[cfg(unix)]
#[allow(
    non_camel_case_types,
    reason = "the type stands under its function's name"
)]
pub type symlink<P, Q> = Operation<(P, Q), (PathBuf, PathBuf), ()>;
