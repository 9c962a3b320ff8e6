//! How a file is opened.

use std::path::{Path, PathBuf};

use super::file::File;
use super::operation::Operation;

/// How a file is opened: [`std::fs::OpenOptions`] with a future.
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

/// Declares the options that are on or off.
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
    /// Everything is off.
    #[must_use]
    pub fn new() -> Self {
        Self(std::fs::OpenOptions::new())
    }

    switches! {
        /// Whether it is read.
        read;
        /// Whether it is written.
        write;
        /// Whether it is written behind its end.
        append;
        /// Whether it is emptied.
        truncate;
        /// Whether it is made where there is none.
        create;
        /// Whether it is made, and must not have been there.
        create_new;
    }

    /// What the standard library has for it, to set what has no method here.
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
