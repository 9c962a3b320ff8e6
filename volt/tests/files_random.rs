//! Random sequences of operations, on a `File` and on a file of the standard library.
//!
//! Futures are dropped in the middle, handles are cloned, and runtimes end between two operations.
//! Each operation must return the same result on both files, and their bytes must be equal at the
//! end.
#![cfg(all(feature = "fs", not(miri)))]

mod files_folder;
mod seeded_rng;

use std::future::Future;
use std::io::{self, ErrorKind, IoSlice, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use files_folder::Folder;
use seeded_rng::SeededRng;
use volt::fs::File;
use volt::io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt};
use volt::runtime::Runtime;

/// A handle of each of two files that must stay equal.
struct Pair {
    volt: File,
    std: std::fs::File,
    /// The position of a seek that was dropped as the last operation on these handles. The file
    /// takes an equal seek for a continuation of the dropped one.
    dropped_seek: Option<SeekFrom>,
}

impl Pair {
    fn new(volt: File, std: std::fs::File) -> Self {
        Self {
            volt,
            std,
            dropped_seek: None,
        }
    }
}

/// The pairs of one sequence, and the state of dropped operations.
struct Sequence {
    rng: SeededRng,
    paths: [PathBuf; 2],
    pairs: Vec<Pair>,
    /// A read was dropped, and no later operation has undone it.
    has_dropped_read: bool,
    log: Vec<String>,
}

/// Polls a future once, and drops it.
fn poll_once<F: Future>(future: F) -> Option<F::Output> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

fn kind<T>(result: io::Result<T>) -> Result<T, ErrorKind> {
    result.map_err(|error| error.kind())
}

fn open(path: &Path, mode: usize) -> std::fs::File {
    let mut options = std::fs::OpenOptions::new();
    match mode {
        0 => options.read(true),
        1 => options.write(true),
        2 => options.read(true).append(true),
        _ => options.read(true).write(true),
    };
    options.open(path).expect("opened")
}

impl Sequence {
    fn new(folder: &Folder, seed: u64) -> Self {
        let mut rng = SeededRng(seed);
        let paths = ["volt", "std"].map(|name| folder.path(name));
        for path in &paths {
            std::fs::write(path, b"0123456789abcdefghij").expect("written");
        }
        let mode = rng.below(8);
        let [volt, std] = [&paths[0], &paths[1]].map(|path| open(path, mode));
        let volt = File::from_std(volt);
        Self {
            rng,
            paths,
            pairs: vec![Pair::new(volt, std)],
            has_dropped_read: false,
            log: vec![format!("mode {mode}")],
        }
    }

    /// Runs one operation on one of the pairs.
    async fn step(&mut self) {
        let at = self.rng.below(self.pairs.len());
        let dropped_seek = self.pairs[at].dropped_seek.take();
        let undoes_reads = match self.rng.below(20) {
            0..4 => return self.read(at).await,
            4 => return self.read_and_drop(at),
            5..9 => self.write(at).await,
            9..11 => self.write_and_drop(at),
            11..14 => self.seek(at, dropped_seek).await,
            14 => self.seek_and_drop(at, dropped_seek),
            15 => self.set_len(at).await,
            16 => self.set_len_and_drop(at),
            17 => self.others_change().await,
            18 => self.look(at).await,
            _ => self.convert(at).await,
        };
        self.has_dropped_read &= !undoes_reads;
    }

    fn compare<T: PartialEq + std::fmt::Debug>(&mut self, name: &str, volt: T, std: T) {
        self.log.push(format!("{name}: {volt:?}"));
        assert_eq!(volt, std, "volt's and std's {name}; {:#?}", self.log);
    }

    async fn read(&mut self, at: usize) {
        let mut bytes = [0; 30];
        let len = self.rng.below(30);
        let pair = &mut self.pairs[at];
        let read = kind(pair.volt.read(&mut bytes[..len]).await);
        // After a dropped read, fewer bytes may be returned.
        let is_short = self.has_dropped_read && read.is_ok_and(|count| count > 0);
        let expected_len = if is_short { read.unwrap_or(0) } else { len };
        let mut expected = [0; 30];
        let std = kind(pair.std.read(&mut expected[..expected_len]));
        self.compare(
            &format!("read {len} of {at}"),
            (read, bytes),
            (std, expected),
        );
    }

    fn read_and_drop(&mut self, at: usize) {
        let mut bytes = [0; 30];
        let len = self.rng.below(30);
        let pair = &mut self.pairs[at];
        let Some(read) = poll_once(pair.volt.read(&mut bytes[..len])) else {
            self.has_dropped_read = true;
            return self.log.push(format!("read {len} of {at}, dropped"));
        };
        let count = *read.as_ref().unwrap_or(&len);
        let mut expected = [0; 30];
        let std = kind(pair.std.read(&mut expected[..count]));
        self.compare("read at once", (kind(read), bytes), (std, expected));
    }

    async fn write(&mut self, at: usize) -> bool {
        let [bytes, more] = [(); 2].map(|()| self.rng.bytes());
        let Pair { volt, std, .. } = &mut self.pairs[at];
        let (written, expected) = if self.rng.once_in(3) {
            let slices = [IoSlice::new(&bytes), IoSlice::new(&more)];
            let written = volt.write_vectored(&slices).await;
            (written, std.write_vectored(&slices))
        } else {
            (volt.write(&bytes).await, std.write(&bytes))
        };
        let name = format!("write {bytes:?} {more:?} to {at}");
        self.compare_write(&name, written, expected)
    }

    fn write_and_drop(&mut self, at: usize) -> bool {
        let bytes = self.rng.bytes();
        let Pair { volt, std, .. } = &mut self.pairs[at];
        let Some(written) = poll_once(volt.write(&bytes)) else {
            self.log.push("write, dropped".to_owned());
            return false;
        };
        let expected = std.write(&bytes);
        let name = format!("write {bytes:?} to {at} at once");
        self.compare_write(&name, written, expected)
    }

    /// Returns `true` if bytes were written. Otherwise the position stays, and so do dropped reads.
    fn compare_write(
        &mut self,
        name: &str,
        volt: io::Result<usize>,
        std: io::Result<usize>,
    ) -> bool {
        let has_written = volt.as_ref().is_ok_and(|count| *count > 0);
        self.compare(name, kind(volt), kind(std));
        has_written
    }

    /// SeededRng a place to seek to that is not the place of a dropped seek.
    fn other_place(&mut self, dropped: Option<SeekFrom>) -> SeekFrom {
        loop {
            let place = self.rng.seek_from();
            if dropped != Some(place) {
                return place;
            }
        }
    }

    async fn seek(&mut self, at: usize, dropped: Option<SeekFrom>) -> bool {
        let place = self.other_place(dropped);
        let Pair { volt, std, .. } = &mut self.pairs[at];
        let sought = kind(volt.seek(place).await);
        let expected = kind(std.seek(place));
        self.compare(&format!("seek {place:?} in {at}"), sought, expected);
        true
    }

    fn seek_and_drop(&mut self, at: usize, dropped: Option<SeekFrom>) -> bool {
        let place = self.other_place(dropped);
        let Pair { volt, std, .. } = &mut self.pairs[at];
        let sought = poll_once(volt.seek(place));
        let expected = kind(std.seek(place));
        match sought {
            Some(sought) => self.compare("seek at once", kind(sought), expected),
            None => {
                self.pairs[at].dropped_seek = Some(place);
                self.log.push(format!("seek {place:?} in {at}, dropped"));
            }
        }
        true
    }

    async fn set_len(&mut self, at: usize) -> bool {
        let len = self.rng.below(40) as u64;
        let Pair { volt, std, .. } = &mut self.pairs[at];
        let (set, expected) = (kind(volt.set_len(len).await), kind(std.set_len(len)));
        self.compare(&format!("set_len {len} of {at}"), set, expected);
        true
    }

    fn set_len_and_drop(&mut self, at: usize) -> bool {
        let len = self.rng.below(40) as u64;
        let Pair { volt, std, .. } = &mut self.pairs[at];
        // The next operation would return the error.
        if kind(std.set_len(len)).is_err() {
            return false;
        }
        match poll_once(volt.set_len(len)) {
            Some(set) => self.compare("set_len at once", kind(set), Ok(())),
            None => self.log.push(format!("set_len {len} of {at}, dropped")),
        }
        true
    }

    /// Other handles truncate the files or overwrite their bytes.
    async fn others_change(&mut self) -> bool {
        let place = self.rng.below(20) as u64;
        let is_cut = self.rng.once_in(2);
        for pair in &mut self.pairs {
            // Then all accepted writes are in the file, and no dropped read is left.
            pair.volt.metadata().await.expect("an answer");
            pair.volt.flush().await.expect("flushed");
        }
        for path in &self.paths {
            let mut other = open(path, 7);
            if is_cut {
                other.set_len(place).expect("truncated");
            } else {
                other.seek(SeekFrom::Start(place)).expect("a position");
                other.write_all(b"------").expect("written");
            }
        }
        self.log.push(format!("others change {place} {is_cut}"));
        true
    }

    async fn look(&mut self, at: usize) -> bool {
        let Pair { volt, std, .. } = &mut self.pairs[at];
        let len = kind(volt.metadata().await).map(|metadata| metadata.len());
        let expected = kind(std.metadata()).map(|metadata| metadata.len());
        self.compare("len", len, expected);
        if self.rng.once_in(100) {
            let synced = kind(self.pairs[at].volt.sync_data().await);
            self.compare("sync_data", synced, Ok(()));
        }
        true
    }

    /// Clones a handle, or converts it to a `std::fs::File` and back.
    async fn convert(&mut self, at: usize) -> bool {
        if self.rng.once_in(2) && self.pairs.len() < 3 {
            let Pair { volt, std, .. } = &mut self.pairs[at];
            let volt = volt.try_clone().await.expect("cloned");
            let std = std.try_clone().expect("cloned");
            self.pairs.push(Pair::new(volt, std));
            self.log.push(format!("clone of {at}"));
            return true;
        }
        if self.pairs.len() > 1 {
            // A handle from `from_std` shares no order with its former clones.
            let Pair { mut volt, .. } = self.pairs.pop().expect("the last");
            volt.flush().await.expect("flushed");
            self.log.push("clone dropped".to_owned());
            return false;
        }
        let Pair { volt, mut std, .. } = self.pairs.pop().expect("the only one");
        let mut own = volt.into_std().await.expect("taken apart");
        let place = SeekFrom::Current(0);
        let (position, expected) = (kind(own.seek(place)), kind(std.seek(place)));
        let volt = File::from_std(own);
        self.pairs.push(Pair::new(volt, std));
        self.compare("position", position, expected);
        true
    }

    /// Compares the bytes and the positions.
    async fn end(mut self) {
        while let Some(Pair {
            mut volt, mut std, ..
        }) = self.pairs.pop()
        {
            self.compare_end(&mut volt, &mut std).await;
        }
        let [bytes, expected] = [0, 1].map(|at| std::fs::read(&self.paths[at]).expect("read"));
        self.compare("bytes", bytes, expected);
    }

    async fn compare_end(&mut self, volt: &mut File, std: &mut std::fs::File) {
        volt.metadata().await.expect("an answer");
        self.compare("flush", kind(volt.flush().await), Ok(()));
        let position = kind(volt.stream_position().await);
        self.compare("position", position, kind(std.stream_position()));
    }
}

/// Runs one sequence, sometimes with a new runtime in the middle.
fn run(folder: &Folder, seed: u64, runtime: &mut Runtime) {
    let mut sequence = Sequence::new(folder, seed);
    sequence.log.push(format!("seed {seed}"));
    let parts = if sequence.rng.once_in(50) { 3 } else { 1 };
    for part in 0..parts {
        if part > 0 {
            sequence.log.push("another runtime".to_owned());
            *runtime = new_runtime();
        }
        let steps = sequence.rng.below(16);
        runtime.block_on(async {
            for _ in 0..steps {
                sequence.step().await;
            }
        });
    }
    runtime.block_on(sequence.end());
}

fn new_runtime() -> Runtime {
    let builder = Runtime::builder().worker_threads(1);
    builder.build().expect("a runtime")
}

/// Returns a setting from an environment variable: the number of sequences, or the first seed.
fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().expect("a number"),
        Err(_) => default,
    }
}

#[test]
fn file_behaves_as_the_file_of_std() {
    // Most of the time is spent on hand-offs between threads, so several sequences run at once.
    const THREADS: u64 = 4;
    let first = setting("VOLT_FILES_SEED", 1);
    let seeds = first..first + setting("VOLT_FILES_COUNT", 10_000);
    std::thread::scope(|scope| {
        for part in 0..THREADS {
            let seeds = seeds.clone().skip(part as usize).step_by(THREADS as usize);
            scope.spawn(move || {
                let folder = Folder::new();
                let mut runtime = new_runtime();
                for seed in seeds {
                    run(&folder, seed, &mut runtime);
                }
            });
        }
    });
}
