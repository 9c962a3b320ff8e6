//! `OpenOptions`: options for opening a file.

use std::path::{Path, PathBuf};

use super::file::File;
use super::operation::Operation;

/// Options for opening a file, as [`std::fs::OpenOptions`] has them.
///
/// # Examples
///
/// ```
/// use volt::fs::OpenOptions;
/// use volt::io::AsyncWriteExt;
///
/// let path = std::env::temp_dir().join(format!("volt-options-{}", std::process::id()));
/// volt::block_on(async {
///     for line in [b"one\n", b"two\n"] {
///         let mut log = OpenOptions::new().append(true).create(true).open(&path).await?;
///         log.write_all(line).await?;
///         log.close().await?;
///     }
///     assert_eq!(volt::fs::read(&path).await?, b"one\ntwo\n");
///     volt::fs::remove_file(&path).await
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct OpenOptions(std::fs::OpenOptions);

/// Declares the boolean options.
macro_rules! switches {
    ($($(#[$attribute:meta])* $name:ident;)*) => {$(
        $(#[$attribute])*
        pub fn $name(&mut self, on: bool) -> &mut Self {
            self.0.$name(on);
            self
        }
    )*};
}

impl OpenOptions {
    /// Creates options that are all `false`.
    #[must_use]
    pub fn new() -> Self {
        Self(std::fs::OpenOptions::new())
    }

    switches! {
        /// Sets whether the file is opened for reads.
        read;
        /// Sets whether the file is opened for writes.
        write;
        /// Sets whether writes append to the file.
        append;
        /// Sets whether the file is truncated.
        truncate;
        /// Sets whether the file is created if it does not exist.
        create;
        /// Sets whether the file is created, and must not exist before.
        create_new;
    }

    /// Returns the options of the standard library, for settings that have no method here.
    pub fn as_std_mut(&mut self) -> &mut std::fs::OpenOptions {
        &mut self.0
    }

    /// Opens a file.
    ///
    /// # Errors
    ///
    /// Fails as [`std::fs::OpenOptions::open`] does.
    #[track_caller]
    pub fn open<P: AsRef<Path>>(
        &self,
        path: P,
    ) -> Operation<P, (PathBuf, std::fs::OpenOptions), File> {
        let argument = (path.as_ref().to_owned(), self.0.clone());
        Operation::new(path, argument, |(path, options)| {
            options.open(path).map(File::from_std)
        })
    }
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl From<std::fs::OpenOptions> for OpenOptions {
    fn from(options: std::fs::OpenOptions) -> Self {
        Self(options)
    }
}
