//! The errors of several futures.

use core::error::Error;
use core::fmt;

use alloc::vec::Vec;

/// Errors with the numbers of the futures that they came from.
///
/// [`Settle`](crate::Settle) returns them in the order of the futures, [`RaceOk`](crate::RaceOk) in
/// the order in which they failed.
///
/// ```
/// # use core::future::ready;
/// use volt_combinators::settle_all;
///
/// let settled = settle_all([Ok(1), Err("no"), Err("nor")].map(ready));
/// let errors = futures::executor::block_on(settled).unwrap_err();
/// assert_eq!(errors.to_string(), "future 1: no; future 2: nor");
/// assert_eq!(errors.into_vec(), [(1, "no"), (2, "nor")]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Errors<E> {
    errors: Vec<(usize, E)>,
}

impl<E> Errors<E> {
    pub(crate) fn new() -> Self {
        Self { errors: Vec::new() }
    }

    pub(crate) fn push(&mut self, child: usize, error: E) {
        self.errors.push((child, error));
    }

    /// Returns the number of errors.
    pub fn len(&self) -> usize {
        self.errors.len()
    }

    /// Returns `true` if there are no errors: a race of no futures fails without an error.
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// Returns the errors.
    pub fn as_slice(&self) -> &[(usize, E)] {
        &self.errors
    }

    /// Returns the errors, by value.
    pub fn into_vec(self) -> Vec<(usize, E)> {
        self.errors
    }
}

impl<E: fmt::Display> fmt::Display for Errors<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("no future to succeed");
        }
        for (n, (child, error)) in self.errors.iter().enumerate() {
            let comma = if n == 0 { "" } else { "; " };
            write!(f, "{comma}future {child}: {error}")?;
        }
        Ok(())
    }
}

impl<E: Error> Error for Errors<E> {}
