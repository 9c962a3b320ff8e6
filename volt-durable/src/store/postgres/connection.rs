//! `Connection`: a connection that is opened again after it was lost.

use std::sync::Arc;

use super::job::Job;
use super::listener::Changes;
use super::schema;
use super::session::{
    Connect, Query, Session, is_of_statement, is_read_only, repeat_after_conflicts,
};
use crate::error::{self, Error};

/// A connection that is opened again after it was lost.
pub(super) struct Connection {
    connect: Connect,
    changes: Arc<Changes>,
    session: Option<Session>,
}

impl Connection {
    /// Returns a connection that is not open yet.
    pub(super) fn new(connect: Connect, changes: Arc<Changes>) -> Self {
        Self {
            connect,
            changes,
            session: None,
        }
    }

    /// Runs operations, and reports their results.
    ///
    /// They have one transaction, because a commit waits for the disk. If the database refuses one
    /// of them, or undoes one because of others, each has a transaction of its own instead.
    ///
    /// No operation is run again after the connection was lost, because its outcome is unknown.
    pub(super) fn run(&mut self, mut jobs: Vec<Box<dyn Job>>) {
        if jobs.len() > 1 {
            let run =
                |session: &mut Session| session.transaction(|session| run_all(&mut jobs, session));
            match self.open().map(run) {
                Ok(Ok(())) => return jobs.into_iter().for_each(|job| job.report(None)),
                Ok(Err(error)) if !is_of_statement(&error) => {
                    self.session = None;
                    let lost = || Error::store(format!("the connection is lost: {error}"));
                    return jobs.into_iter().for_each(|job| job.report(Some(lost())));
                }
                // Each operation reports the error itself.
                Ok(Err(_)) | Err(_) => {}
            }
        }
        for mut job in jobs {
            let failure = self.run_alone(&mut *job).err();
            job.report(failure);
        }
    }

    /// Runs an operation, again if the database has undone it because of others.
    fn run_alone(&mut self, job: &mut dyn Job) -> error::Result<()> {
        let session = self.open()?;
        let result = repeat_after_conflicts(|| job.run(session));
        let is_lost = |error: &_| !is_of_statement(error) || is_read_only(error);
        if result.as_ref().is_err_and(is_lost) || session.is_closed() {
            self.session = None;
        }
        result.map_err(Error::store)
    }

    fn open(&mut self) -> error::Result<&mut Session> {
        let session = match self.session.take() {
            Some(session) => session,
            None => {
                let client = self.connect.open().map_err(Error::store)?;
                let mut session = Session::new(client);
                schema::prepare(&mut session)?;
                let process = session.query("select pg_backend_pid()", &[]);
                let process = process.map_err(Error::store)?[0].get(0);
                self.changes.set_own_process(process);
                session
            }
        };
        Ok(self.session.insert(session))
    }
}

fn run_all(jobs: &mut [Box<dyn Job>], session: &mut Session) -> Result<(), postgres::Error> {
    jobs.iter_mut().try_for_each(|job| job.run(session))
}
