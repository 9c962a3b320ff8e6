//! `LibraryPage`: a page of a library.

use super::library_request::LibraryRequest;

/// A page of a library on the inspection servers of a process.
///
/// The server calls the methods on another thread than its own, one at a time, so they may block.
pub trait LibraryPage: Send + Sync + 'static {
    /// Returns the page, which contains no data. Its script and its style have the attribute
    /// `nonce="NONCE"`: the server replaces the word, and the browser runs nothing else.
    fn html(&self) -> &'static str;

    /// Returns data as JSON, or `None` if there is none of this path.
    fn data(&self, request: &LibraryRequest) -> Option<String>;

    /// Runs an action and returns its result as JSON, or `None` if there is none of this path.
    ///
    /// The server requires a token and the method POST.
    fn act(&self, request: &LibraryRequest) -> Option<String>;
}
