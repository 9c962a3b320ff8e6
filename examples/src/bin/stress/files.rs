//! Files that tasks write, and the bytes that have to be in them when all runtimes have ended.

use std::future::Future;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use volt::fs::OpenOptions;
use volt::io::AsyncWriteExt;

use crate::draws::Draws;

/// A folder for the files of one round, which is removed when this is dropped.
#[derive(Debug)]
pub(crate) struct Files {
    folder: PathBuf,
    written: Mutex<Vec<Arc<WrittenFile>>>,
}

#[derive(Debug)]
struct WrittenFile {
    path: PathBuf,
    /// The bytes of all operations that the file has accepted.
    accepted: Mutex<Vec<u8>>,
}

impl Files {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Relaxed);
        let name = format!("volt-stress-{}-{count}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir(&folder).expect("a folder");
        let written = Mutex::new(Vec::new());
        Self { folder, written }
    }

    fn add(&self) -> Arc<WrittenFile> {
        let mut written = self.written.lock().expect("no panic");
        let file = Arc::new(WrittenFile {
            path: self.folder.join(written.len().to_string()),
            accepted: Mutex::default(),
        });
        written.push(Arc::clone(&file));
        file
    }

    /// Writes to a file of its own, and drops the file with or without a flush.
    pub(crate) async fn write_one(&self, draws: &mut Draws) {
        let written = self.add();
        let options = OpenOptions::new().append(true).create(true).clone();
        // The runtime may have ended.
        let Ok(mut file) = options.open(&written.path).await else {
            return;
        };
        for _ in 0..draws.below(5) {
            if draws.once_in(6) {
                let cut = poll_once(file.set_len(0));
                if !matches!(cut, Poll::Ready(Err(_))) {
                    written.accepted.lock().expect("no panic").clear();
                }
                continue;
            }
            let bytes = vec![b'a' + draws.below(26) as u8; draws.below(100) as usize];
            let Ok(count) = file.write(&bytes).await else {
                return;
            };
            let mut accepted = written.accepted.lock().expect("no panic");
            accepted.extend_from_slice(&bytes[..count]);
        }
        if draws.once_in(2) {
            _ = file.flush().await;
        }
    }

    /// Compares all files with the operations that they have accepted.
    ///
    /// # Panics
    ///
    /// Panics if a file has other bytes.
    pub(crate) fn check(&self) {
        for file in self.written.lock().expect("no panic").iter() {
            let accepted = file.accepted.lock().expect("no panic");
            let found = std::fs::read(&file.path).unwrap_or_default();
            let path = file.path.display();
            assert!(found == *accepted, "{path}: {found:?}, not {accepted:?}");
        }
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn poll_once<F: Future>(future: F) -> Poll<F::Output> {
    pin!(future).poll(&mut Context::from_waker(Waker::noop()))
}
