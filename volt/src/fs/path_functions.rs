//! The functions of this module that take a path.

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
        #[doc(hidden)]
        #[allow(
            non_camel_case_types,
            reason = "the type has the name of its function"
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
        #[doc(hidden)]
        #[allow(
            non_camel_case_types,
            reason = "the type has the name of its function"
        )]
        pub type $name<P, Q> = Operation<(P, Q), (PathBuf, PathBuf), $Output>;
    )*};
}

of_path! {
    /// Returns the absolute path, without symbolic links and without `..`.
    canonicalize -> PathBuf;
    /// Creates a folder.
    create_dir -> ();
    /// Creates a folder, and its parent folders if they do not exist.
    create_dir_all -> ();
    /// Returns the metadata of a file. Follows symbolic links.
    metadata -> Metadata;
    /// Reads the whole contents of a file.
    read -> Vec<u8>;
    /// Returns the target of a symbolic link.
    read_link -> PathBuf;
    /// Reads the whole contents of a file as text.
    read_to_string -> String;
    /// Removes an empty folder.
    remove_dir -> ();
    /// Removes a folder and its contents.
    remove_dir_all -> ();
    /// Removes a file.
    remove_file -> ();
    /// Returns the metadata of a file, or of a symbolic link itself.
    symlink_metadata -> Metadata;
}

of_two_paths! {
    /// Copies a file, and returns the number of copied bytes.
    copy -> u64;
    /// Creates a hard link to a file.
    hard_link -> ();
    /// Renames a file or folder.
    rename -> ();
}

/// Returns `true` if the file or folder exists.
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
#[doc(hidden)]
#[allow(non_camel_case_types, reason = "the type has the name of its function")]
pub type try_exists<P> = Operation<P, PathBuf, bool>;

/// Writes bytes as the whole contents of a file.
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
#[doc(hidden)]
#[allow(non_camel_case_types, reason = "the type has the name of its function")]
pub type write<P> = Operation<P, (PathBuf, Vec<u8>), ()>;

/// Sets the permissions of a file.
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
#[doc(hidden)]
#[allow(non_camel_case_types, reason = "the type has the name of its function")]
pub type set_permissions<P> = Operation<P, (PathBuf, Permissions), ()>;

/// Creates a symbolic link to `original`.
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
#[doc(hidden)]
#[allow(non_camel_case_types, reason = "the type has the name of its function")]
pub type symlink<P, Q> = Operation<(P, Q), (PathBuf, PathBuf), ()>;
