//! The types that the functions of the corpus use.

use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll};

/// Gives `value` at the second poll.
pub(crate) fn answer<T>(value: T) -> Answer<T> {
    Answer {
        value: Some(value),
        asked: false,
    }
}

/// The future of `answer`, under the function's own name.
#[allow(non_camel_case_types, reason = "it stands beside the function")]
pub(crate) type answer<T> = Answer<T>;

pub(crate) struct Answer<T> {
    value: Option<T>,
    asked: bool,
}

impl<T> Unpin for Answer<T> {}

impl<T> Future for Answer<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        if self.asked {
            return Poll::Ready(self.value.take().expect("polled after completion"));
        }
        self.asked = true;
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

pub(crate) fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().map(|byte| u32::from(*byte)).sum()
}

pub(crate) enum Problem {
    Full,
    Locked,
    Missing(u64),
}

/// An error of many bytes.
pub(crate) struct Report {
    context: [&'static str; 5],
    line: u64,
    column: u64,
}

impl Report {
    pub(crate) fn new(said: &'static str) -> Self {
        Self {
            context: [said; 5],
            line: 0,
            column: 0,
        }
    }
}

/// Looks at a result, and leaves it where it is.
pub(crate) fn note<T>(result: &Result<T, Report>) {
    if let Err(report) = result {
        let Report { line, column, .. } = report;
        eprintln!("{:?}, {line}:{column}", report.context);
    }
}

pub(crate) struct Config {
    pub(crate) host: String,
    pub(crate) retries: u32,
    pub(crate) key: [u8; 64],
}

pub(crate) struct Record {
    id: u64,
    amounts: [u64; 4],
}

impl Record {
    pub(crate) fn new(id: u64) -> Self {
        Self {
            id,
            amounts: [id; 4],
        }
    }

    pub(crate) fn total(&self) -> u64 {
        self.id + self.amounts.iter().sum::<u64>()
    }

    pub(crate) fn rendered(&self) -> [u8; 1024] {
        [self.id as u8; 1024]
    }
}

pub(crate) struct Account {
    name: String,
    hash: u32,
}

impl Account {
    pub(crate) fn named(name: String) -> Self {
        let hash = checksum(name.as_bytes());
        Self { name, hash }
    }

    pub(crate) fn is_locked(&self) -> bool {
        self.name.is_empty()
    }

    pub(crate) fn matches(&self, hash: u32) -> bool {
        self.hash == hash
    }
}

pub(crate) struct Request {
    pub(crate) path: String,
}

impl Request {
    pub(crate) fn header(&self) -> [u8; 256] {
        [self.path.len() as u8; 256]
    }

    pub(crate) fn account(&self) -> Account {
        Account::named(self.path.clone())
    }

    pub(crate) fn body(&self) -> [u8; 512] {
        [self.path.len() as u8; 512]
    }
}

pub(crate) struct Response {
    pub(crate) account: Account,
    pub(crate) total: u64,
    pub(crate) sum: u32,
}

/// Memory to work in, of which there is not much.
pub(crate) struct Pool {
    taken: AtomicU32,
}

impl Pool {
    pub(crate) fn take(&self) -> Scratch<'_> {
        self.taken.fetch_add(1, Ordering::Relaxed);
        Scratch {
            bytes: [0; 1024],
            pool: self,
        }
    }

    pub(crate) fn taken(&self) -> u32 {
        self.taken.load(Ordering::Relaxed)
    }
}

/// A kibibyte, returned on drop.
pub(crate) struct Scratch<'a> {
    bytes: [u8; 1024],
    pool: &'a Pool,
}

impl Scratch<'_> {
    pub(crate) fn fill(&mut self, byte: u8) {
        self.bytes.fill(byte);
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        self.pool.taken.fetch_sub(1, Ordering::Relaxed);
    }
}
