//! `RenderThread`: the thread of a request that takes long, such as one for a dump by poll.
//!
//! There is at most one such thread. The thread of the server answers other requests meanwhile, and
//! is woken when the response is complete.

use std::sync::mpsc::{Receiver, Sender, channel};

use super::http_response::HttpResponse;
use super::resource::{RenderJob, rendered};
use crate::loom::thread;
use crate::util::catch_as_none;

/// The response to the request of a connection.
#[derive(Debug)]
struct LateResponse {
    connection: usize,
    bytes: Vec<u8>,
}

/// Runs one job at a time on another thread.
#[derive(Debug)]
pub(super) struct RenderThread {
    is_running: bool,
    sender: Sender<LateResponse>,
    responses: Receiver<LateResponse>,
}

impl RenderThread {
    pub(super) fn new() -> Self {
        let (sender, responses) = channel();
        Self {
            is_running: false,
            sender,
            responses,
        }
    }

    /// Starts a thread that runs the job for a connection, and calls `notify` at its end.
    ///
    /// # Errors
    ///
    /// Returns the response if another job is running, or if the thread cannot be started.
    pub(super) fn start(
        &mut self,
        connection: usize,
        job: RenderJob,
        notify: impl FnOnce() + Send + 'static,
    ) -> Result<(), HttpResponse> {
        if self.is_running {
            return Err(unavailable(
                "Another request is running. Repeat this one later.",
            ));
        }
        let sender = self.sender.clone();
        let run = move || {
            let bytes = run(job).into_bytes();
            // The receiver is dropped if the server has stopped.
            let _ = sender.send(LateResponse { connection, bytes });
            notify();
        };
        let builder = thread::Builder::new().name("volt-inspect-poll".to_owned());
        builder.spawn(run).map_err(|error| {
            unavailable(&format!(
                "A thread for the request cannot be started: {error}."
            ))
        })?;
        self.is_running = true;
        Ok(())
    }

    /// Returns a response that is complete, with the number of its connection.
    pub(super) fn next_response(&mut self) -> Option<(usize, Vec<u8>)> {
        let response = self.responses.try_recv().ok()?;
        self.is_running = false;
        Some((response.connection, response.bytes))
    }
}

/// Runs a job, which calls code of the user. The panic hook has reported a panic of it.
fn run(job: RenderJob) -> HttpResponse {
    catch_as_none(|| rendered(job)).unwrap_or_else(HttpResponse::panicked)
}

fn unavailable(text: &str) -> HttpResponse {
    HttpResponse::error("503 Service Unavailable", text).with_header("Retry-After: 1\r\n")
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::RenderThread;
    use crate::inspect::resource::{ContentType, RenderJob};
    use std::sync::mpsc::channel;

    #[test]
    fn second_job_is_refused_while_one_runs() {
        let mut thread = RenderThread::new();
        let (release, released) = channel::<()>();
        let (end, ended) = channel();
        let waits = move || released.recv().ok().map(|()| "text".to_owned());
        let job = RenderJob::new(ContentType::Text, waits);
        assert!(thread.start(7, job, move || end.send(()).unwrap()).is_ok());
        let job = || RenderJob::new(ContentType::Text, || None);
        let refusal = thread.start(8, job(), || panic!("the job is refused"));
        let refusal = String::from_utf8(refusal.unwrap_err().into_bytes()).unwrap();
        assert!(refusal.starts_with("HTTP/1.1 503 "), "{refusal}");
        assert!(thread.next_response().is_none());
        release.send(()).unwrap();
        ended.recv().unwrap();
        let (connection, bytes) = thread.next_response().unwrap();
        assert_eq!((connection, bytes.ends_with(b"text")), (7, true));
        assert!(thread.start(9, job(), || ()).is_ok());
    }

    #[test]
    fn panic_of_a_job_is_answered() {
        let mut thread = RenderThread::new();
        let (end, ended) = channel();
        let job = RenderJob::new(ContentType::Json, || panic!("a job panics"));
        assert!(thread.start(7, job, move || end.send(()).unwrap()).is_ok());
        ended.recv().unwrap();
        let (_, bytes) = thread.next_response().unwrap();
        assert!(bytes.starts_with(b"HTTP/1.1 500 "));
    }
}
