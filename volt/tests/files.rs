//! Reads and writes of files, and operations on folders.
#![cfg(all(feature = "fs", not(miri)))]

mod files_folder;

use std::future::Future;
use std::io::{ErrorKind, SeekFrom};
use std::path::{Path, PathBuf};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use files_folder::Folder;
use volt::fs::{self, File, OpenOptions};
use volt::io::{AsyncBufReadExt, AsyncReadExt, AsyncSeek, AsyncWriteExt, BufReader, BufWriter};

fn run<F: Future>(future: F) -> F::Output {
    volt::Runtime::new().expect("a runtime").block_on(future)
}

fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|at| (at * 31 + at / 251) as u8).collect()
}

async fn seek(file: &mut (impl AsyncSeek + Unpin), to: SeekFrom) -> u64 {
    std::future::poll_fn(|cx| Pin::new(&mut *file).poll_seek(cx, to))
        .await
        .expect("a position")
}

const LEN: usize = 3 * 1024 * 1024 + 17;

#[test]
fn megabytes_are_written_and_read() {
    let folder = Folder::new();
    run(async {
        let path = folder.path("large");
        let mut file = File::create(&path).await.expect("created");
        for chunk in pattern(LEN).chunks(100_003) {
            file.write_all(chunk).await.expect("written");
        }
        file.sync_all().await.expect("on the disk");
        assert_eq!(file.metadata().await.expect("an answer").len(), LEN as u64);
        assert!(fs::read(&path).await.expect("read") == pattern(LEN));
        let mut read = Vec::new();
        let mut file = File::open(&path).await.expect("opened");
        file.read_to_end(&mut read).await.expect("read");
        assert!(read == pattern(LEN));

        let copy = folder.path("copy");
        let mut writer = BufWriter::new(File::create(&copy).await.expect("created"));
        let reader = File::open(&path).await.expect("opened");
        let moved = volt::io::copy(reader, &mut writer).await.expect("copied");
        assert_eq!(moved, LEN as u64);
        assert!(std::fs::read(&copy).expect("read") == pattern(LEN));
    });
}

#[test]
fn writes_and_seeks_start_at_the_read_position() {
    let folder = Folder::new();
    run(async {
        let path = folder.path("mixed");
        fs::write(&path, "0123456789abcdef").await.expect("written");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(&path)
            .await
            .expect("opened");
        let mut buf = [0; 4];
        file.read_exact(&mut buf).await.expect("read");
        // The handle reads ahead, but only four bytes were returned.
        file.write_all(b"WXYZ").await.expect("written");
        file.read_exact(&mut buf).await.expect("read");
        assert_eq!(&buf, b"89ab");
        assert_eq!(seek(&mut file, SeekFrom::Current(-2)).await, 10);
        file.read_exact(&mut buf).await.expect("read");
        assert_eq!(&buf, b"abcd");
        assert_eq!(seek(&mut file, SeekFrom::End(-3)).await, 13);
        let mut rest = String::new();
        file.read_to_string(&mut rest).await.expect("read");
        assert_eq!(rest, "def");
        assert_eq!(seek(&mut file, SeekFrom::Start(1)).await, 1);
        file.write_all(b"!").await.expect("written");
        file.set_len(12).await.expect("truncated");
        assert_eq!(
            fs::read_to_string(&path).await.expect("read"),
            "0!23WXYZ89ab"
        );
    });
}

#[test]
fn buffered_seek_starts_at_the_read_position() {
    let folder = Folder::new();
    run(async {
        let path = folder.path("lines");
        fs::write(&path, "one\ntwo\nthree\n")
            .await
            .expect("written");
        let mut reader = BufReader::new(File::open(&path).await.expect("opened"));
        let mut line = String::new();
        reader.read_line(&mut line).await.expect("a line");
        assert_eq!(seek(&mut reader, SeekFrom::Current(4)).await, 8);
        line.clear();
        reader.read_line(&mut line).await.expect("a line");
        assert_eq!(line, "three\n");
    });
}

#[test]
fn dropped_read_of_a_file_loses_no_byte() {
    let folder = Folder::new();
    run(async {
        let path = folder.path("dropped");
        fs::write(&path, pattern(50_000)).await.expect("written");
        let mut file = File::open(&path).await.expect("opened");
        let mut cx = Context::from_waker(Waker::noop());
        let mut read = Vec::new();
        loop {
            let mut buf = [0; 700];
            // The job of a dropped read continues, and the next read returns its bytes.
            let first = pin!(file.read(&mut buf)).poll(&mut cx);
            let len = match first {
                Poll::Ready(read) => read.expect("read"),
                Poll::Pending => file.read(&mut buf).await.expect("read"),
            };
            if len == 0 {
                break;
            }
            read.extend_from_slice(&buf[..len]);
        }
        assert!(read == pattern(50_000));
    });
}

#[cfg(target_os = "linux")]
#[test]
fn write_to_read_only_file_fails_at_once() {
    let folder = Folder::new();
    run(async {
        let path = folder.path("read only");
        fs::write(&path, "as it was").await.expect("written");
        let mut file = File::open(&path).await.expect("opened");
        assert!(file.write(b"no").await.is_err());
        file.flush().await.expect("no write was accepted");
        let mut text = String::new();
        file.read_to_string(&mut text).await.expect("read");
        assert_eq!(text, "as it was");
    });
}

#[test]
fn folders_are_listed_whole() {
    let folder = Folder::new();
    run(async {
        let names: Vec<String> = (0..200).map(|n| format!("{n:03}")).collect();
        for name in &names {
            fs::write(folder.path(name), name).await.expect("written");
        }
        fs::create_dir_all(folder.path("a/b"))
            .await
            .expect("created");
        let mut entries = fs::read_dir(&folder.0).await.expect("a folder");
        let (mut found, mut dirs) = (Vec::new(), 0);
        while let Some(entry) = entries.next_entry().await.expect("an entry") {
            if entry.file_type().await.expect("an answer").is_dir() {
                dirs += 1;
                continue;
            }
            assert_eq!(entry.metadata().await.expect("an answer").len(), 3);
            assert_eq!(entry.path(), folder.0.join(entry.file_name()));
            found.push(entry.file_name().into_string().expect("text"));
        }
        found.sort();
        assert_eq!((found, dirs), (names, 1));
        assert!(entries.next_entry().await.expect("the end").is_none());
    });
}

#[test]
fn names_are_changed_copied_and_removed() {
    let folder = Folder::new();
    run(async {
        let path = |name: &str| folder.path(name);
        fs::write(path("a"), "text").await.expect("written");
        assert_eq!(fs::copy(path("a"), path("b")).await.ok(), Some(4));
        fs::rename(path("b"), path("c")).await.expect("renamed");
        fs::hard_link(path("c"), path("d")).await.expect("linked");
        let there = |name: &'static str| fs::try_exists(path(name));
        for (name, expected) in [("a", true), ("b", false), ("c", true), ("d", true)] {
            assert_eq!(there(name).await.ok(), Some(expected), "{name}");
        }
        #[cfg(unix)]
        {
            fs::symlink(path("a"), path("link")).await.expect("linked");
            assert_eq!(fs::read_link(path("link")).await.ok(), Some(path("a")));
            let link = fs::symlink_metadata(path("link")).await.expect("an answer");
            assert!(link.is_symlink());
            assert!(
                fs::metadata(path("link"))
                    .await
                    .expect("an answer")
                    .is_file()
            );
            let real = fs::canonicalize(path("link")).await.expect("found");
            assert!(real.ends_with(Path::new("a")));
        }
        let mut permissions = fs::metadata(path("a"))
            .await
            .expect("an answer")
            .permissions();
        permissions.set_readonly(true);
        fs::set_permissions(path("a"), permissions)
            .await
            .expect("set");
        assert!(
            fs::metadata(path("a"))
                .await
                .expect("an answer")
                .permissions()
                .readonly()
        );
        fs::remove_file(path("a")).await.expect("removed");
        let error = fs::read(path("a")).await.expect_err("no file");
        assert_eq!(error.kind(), ErrorKind::NotFound);
        fs::create_dir(path("dir")).await.expect("created");
        fs::remove_dir(path("dir")).await.expect("removed");
        fs::create_dir_all(path("x/y")).await.expect("created");
        fs::remove_dir_all(path("x")).await.expect("removed");
        assert_eq!(there("x").await.ok(), Some(false));
    });
}

#[volt::state_machine(explicit)]
async fn first_line(path: PathBuf) -> std::io::Result<String> {
    let text: String = fs::read_to_string(path).await?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

#[test]
fn machines_read_files() {
    let folder = Folder::new();
    run(async {
        fs::write(folder.path("m"), "one\ntwo")
            .await
            .expect("written");
        assert_eq!(
            first_line(folder.path("m")).await.ok().as_deref(),
            Some("one")
        );
    });
}

/// A path whose file is removed on drop, like the path of a temporary file.
struct Temporary(PathBuf);

impl Temporary {
    fn new(folder: &Folder, name: &str) -> Self {
        let path = folder.path(name);
        std::fs::write(&path, name).expect("written");
        Self(path)
    }
}

impl AsRef<Path> for Temporary {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn path_by_value_lives_until_the_operation_ran() {
    let folder = Folder::new();
    let path = |name: &str| Temporary::new(&folder, name);
    run(async {
        let mut text = String::new();
        let mut file = File::open(path("one")).await.expect("opened");
        file.read_to_string(&mut text).await.expect("read");
        assert_eq!(text, "one");
        let options = OpenOptions::new().read(true).clone();
        options.open(path("options")).await.expect("opened");
        assert_eq!(fs::read(path("read")).await.expect("read"), b"read");
        fs::metadata(path("metadata")).await.expect("an answer");
        fs::canonicalize(path("real")).await.expect("found");
        assert!(fs::try_exists(path("there")).await.expect("an answer"));
        fs::copy(path("copied"), folder.path("copy"))
            .await
            .expect("copied");
        fs::hard_link(path("linked"), folder.path("link"))
            .await
            .expect("linked");
        fs::rename(path("old"), folder.path("new"))
            .await
            .expect("renamed");
        fs::remove_file(path("removed")).await.expect("removed");
        fs::write(path("written"), "text").await.expect("written");
    });
    for name in ["copy", "link", "new"] {
        assert!(folder.path(name).exists(), "{name}");
    }
    for name in ["one", "read", "written"] {
        assert!(!folder.path(name).exists(), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn socket_path_by_value_lives_until_connected() {
    let folder = Folder::new();
    run(async {
        let place = Temporary(folder.path("socket"));
        let listener = volt::net::UnixListener::bind(place.as_ref()).expect("bound");
        let connecting = volt::net::UnixStream::connect(place);
        connecting.await.expect("connected");
        listener.accept().await.expect("accepted");
    });
    assert!(!folder.path("socket").exists());
}

#[cfg(unix)]
#[test]
fn datagram_path_by_value_lives_until_sent() {
    let folder = Folder::new();
    run(async {
        let place = Temporary(folder.path("datagram"));
        let receiver = volt::net::UnixDatagram::bind(place.as_ref()).expect("bound");
        let sender = volt::net::UnixDatagram::unbound().expect("a socket");
        sender.send_to(b"hello", place).await.expect("sent");
        let mut buf = [0; 8];
        assert_eq!(receiver.recv(&mut buf).await.expect("received"), 5);
    });
    assert!(!folder.path("datagram").exists());
}
