//! `Job`: an operation of a store, and the channel of its result.

use async_channel::Sender;
use postgres::Error;

use super::session::Session;
use crate::error;

/// An operation of a store. It can be run again if the database has undone it.
pub(super) trait Job: Send {
    /// Runs the operation, and keeps its result for [`report`](Self::report).
    fn run(&mut self, session: &mut Session) -> Result<(), Error>;

    /// Reports the result of the last run, or the error that has prevented it.
    fn report(self: Box<Self>, failure: Option<error::Error>);
}

/// A job that calls a function.
pub(super) struct Operation<T, F> {
    function: F,
    result: Option<T>,
    sender: Sender<error::Result<T>>,
}

impl<T, F> Operation<T, F> {
    pub(super) fn new(function: F, sender: Sender<error::Result<T>>) -> Self {
        Self {
            function,
            result: None,
            sender,
        }
    }
}

impl<T, F> Job for Operation<T, F>
where
    T: Send,
    F: Fn(&mut Session) -> Result<T, Error> + Send,
{
    fn run(&mut self, session: &mut Session) -> Result<(), Error> {
        self.result = Some((self.function)(session)?);
        Ok(())
    }

    fn report(self: Box<Self>, failure: Option<error::Error>) {
        let result = match (failure, self.result) {
            (None, Some(result)) => Ok(result),
            (Some(error), _) => Err(error),
            (None, None) => Err(error::Error::store("the operation was not run")),
        };
        // The send fails only if the caller was dropped.
        let _ = self.sender.try_send(result);
    }
}
