//! `LibraryRequest`: a request for the data or an action of a page.

/// A request for the data or an action of a [`LibraryPage`](super::LibraryPage).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryRequest {
    path: String,
    parameters: Vec<(String, String)>,
    shows_values: bool,
}

impl LibraryRequest {
    /// Creates a request with the parameters of its query, which are decoded.
    #[must_use]
    pub fn new(
        path: impl Into<String>,
        parameters: Vec<(String, String)>,
        shows_values: bool,
    ) -> Self {
        Self {
            path: path.into(),
            parameters,
            shows_values,
        }
    }

    /// Returns the part of the path after the name of the page and a slash.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the value of a parameter of the query.
    #[must_use]
    pub fn parameter(&self, key: &str) -> Option<&str> {
        let mut parameters = self.parameters.iter();
        let found = parameters.find(|(name, _)| name == key);
        found.map(|(_, value)| value.as_str())
    }

    /// Returns `true` if the server may show values that the program stores.
    #[must_use]
    pub fn shows_values(&self) -> bool {
        self.shows_values
    }
}
