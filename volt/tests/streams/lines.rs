//! Lines, and segments between bytes.

use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::task::{Context, Poll};

use volt::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader};

use super::slow::{Pieces, pair, poll_once, run};

#[test]
fn lines_of_a_connection_are_complete() {
    run(async {
        let (near, far) = pair().await;
        let sender = volt::spawn(async move {
            for n in 0..2000 {
                let line = format!("{n}: {}\n", "é".repeat(n % 97));
                // The two writes may split a character.
                let at = line.len() / 2;
                near.write_all(&line.as_bytes()[..at]).await?;
                near.write_all(&line.as_bytes()[at..]).await?;
            }
            near.write_all(b"last\r\n\r\nno end").await
        });
        let mut lines = BufReader::with_capacity(61, far).lines();
        for n in 0..2000 {
            let line = lines.next_line().await.expect("text").expect("a line");
            assert_eq!(line, format!("{n}: {}", "é".repeat(n % 97)));
        }
        for expected in [Some("last"), Some(""), Some("no end"), None, None] {
            let line = lines.next_line().await.expect("text");
            assert_eq!(line.as_deref(), expected);
        }
        sender.await.expect("no panic").expect("sent");
    });
}

#[test]
fn too_long_line_is_an_error() {
    run(async {
        for (text, fits) in [("12345\n", true), ("12345\r\n", true), ("12345", true)] {
            let mut lines = BufReader::new(text.as_bytes()).lines().max_length(5);
            let line = lines.next_line().await.ok().flatten();
            assert_eq!(line.is_some(), fits, "{text:?}");
        }
        for text in ["123456\n", "1234567890", "123456", "1234567\n"] {
            for capacity in [1, 3, 100] {
                let reader = BufReader::with_capacity(capacity, text.as_bytes());
                let mut lines = reader.lines().max_length(5);
                let error = lines
                    .next_line()
                    .await
                    .expect_err("a line that is too long");
                assert_eq!(error.kind(), ErrorKind::InvalidData);
                assert_eq!(error.to_string(), "a line is longer than 5 bytes");
            }
        }
    });
}

#[test]
fn lowered_limit_applies_to_the_received_part() {
    let mut lines = BufReader::new(Pieces::new(["123456", "7\n", "ok\n"])).lines();
    assert!(poll_once(lines.next_line()).is_pending());
    let mut lines = lines.max_length(2);
    let read = run(async {
        let first = lines.next_line().await.map_err(|error| error.kind());
        (first, lines.next_line().await.unwrap())
    });
    assert_eq!(read, (Err(ErrorKind::InvalidData), Some("ok".to_owned())));
}

/// Returns all lines, and the kinds of errors between them.
async fn all_lines(pieces: Pieces, capacity: usize, limit: usize) -> Vec<String> {
    let mut lines = BufReader::with_capacity(capacity, pieces)
        .lines()
        .max_length(limit);
    let mut all = Vec::new();
    loop {
        match lines.next_line().await {
            Ok(Some(line)) => all.push(line),
            Ok(None) => return all,
            Err(error) => all.push(format!("<{:?}>", error.kind())),
        }
    }
}

/// A reader could take a part of the line for a separate line, and so for a command.
#[test]
fn rest_of_a_long_line_is_never_a_line() {
    const TEXT: &[u8] = b"short\nAAAAAAAAAAAAAAAAAA RM ALL\r\nok\nBBBBBBBBBBBBBBB\n\nCCCCCCCCCC RM";
    let expected = [
        "short",
        "<InvalidData>",
        "ok",
        "<InvalidData>",
        "",
        "<InvalidData>",
    ];
    run(async {
        for size in 1..=TEXT.len() {
            for capacity in [1, 2, 3, 7, 64] {
                let pieces = TEXT
                    .chunks(size)
                    .flat_map(|piece| [Some(piece.to_vec()), None]);
                let all = all_lines(Pieces(pieces.collect()), capacity, 8).await;
                assert_eq!(all, expected, "pieces of {size}, {capacity} at a time");
            }
        }
    });
}

#[test]
fn split_skips_the_rest_of_a_long_piece() {
    const TEXT: &[u8] = b"one;toolong;;123;1234;no end";
    run(async {
        for size in 1..=TEXT.len() {
            let pieces = TEXT.chunks(size).map(|piece| Some(piece.to_vec()));
            let reader = BufReader::with_capacity(3, Pieces(pieces.collect()));
            let mut split = reader.split(b';').max_length(3);
            let mut all = Vec::new();
            loop {
                match split.next_segment().await {
                    Ok(Some(piece)) => all.push(String::from_utf8(piece).expect("text")),
                    Ok(None) => break,
                    Err(error) => all.push(format!("<{error}>")),
                }
            }
            let too_long = "<a piece is longer than 3 bytes>";
            assert_eq!(all, ["one", too_long, "", "123", too_long, too_long]);
        }
    });
}

/// A reader that returns pieces, and fails once between them.
#[derive(Debug)]
struct Fails(Vec<Option<&'static [u8]>>);

impl AsyncRead for Fails {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buf: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let Some(next) = self.0.pop() else {
            return Poll::Ready(Ok(0));
        };
        let next = next.ok_or(ErrorKind::TimedOut)?;
        buf[..next.len()].copy_from_slice(next);
        Poll::Ready(Ok(next.len()))
    }
}

fn fails_once() -> Fails {
    Fails(vec![Some(b"old\nnext\n"), None, Some(b"rm -r /")])
}

#[test]
fn part_of_a_line_survives_an_error_of_its_reader() {
    run(async {
        let (mut reader, mut line) = (BufReader::new(fails_once()), String::new());
        let error = reader.read_line(&mut line).await.expect_err("a failure");
        assert_eq!((error.kind(), &line[..]), (ErrorKind::TimedOut, "rm -r /"));
        assert_eq!(reader.read_line(&mut line).await.ok(), Some(4));
        assert_eq!(line, "rm -r /old\n");

        let (mut reader, mut bytes) = (BufReader::new(fails_once()), Vec::new());
        reader
            .read_until(b'\n', &mut bytes)
            .await
            .expect_err("a failure");
        reader
            .read_until(b'\n', &mut bytes)
            .await
            .expect("the rest");
        assert_eq!(bytes, b"rm -r /old\n");

        let (mut reader, mut text) = (fails_once(), String::new());
        reader
            .read_to_string(&mut text)
            .await
            .expect_err("a failure");
        reader.read_to_string(&mut text).await.expect("the rest");
        assert_eq!(text, "rm -r /old\nnext\n");

        let mut lines = BufReader::new(fails_once()).lines();
        lines.next_line().await.expect_err("a failure");
        let line = lines.next_line().await.expect("the rest");
        assert_eq!(line.as_deref(), Some("rm -r /old"));

        let mut pieces = BufReader::new(fails_once()).split(b'\n');
        pieces.next_segment().await.expect_err("a failure");
        let piece = pieces.next_segment().await.expect("the rest");
        assert_eq!(piece.as_deref(), Some(&b"rm -r /old"[..]));
    });
}

#[test]
fn line_of_invalid_utf8_is_skipped() {
    run(async {
        let mut lines = BufReader::new(&b"a\n\xff\nb\n"[..]).lines();
        assert_eq!(lines.next_line().await.ok().flatten().as_deref(), Some("a"));
        let error = lines.next_line().await.expect_err("no text");
        assert_eq!(error.kind(), ErrorKind::InvalidData);
        assert_eq!(lines.next_line().await.ok().flatten().as_deref(), Some("b"));

        let mut reader = BufReader::new(&b"\xff\nb\n"[..]);
        let mut line = String::from("kept");
        let error = reader.read_line(&mut line).await.expect_err("no text");
        assert_eq!((error.kind(), &line[..]), (ErrorKind::InvalidData, "kept"));
        assert_eq!(reader.read_line(&mut line).await.ok(), Some(2));
        assert_eq!(line, "keptb\n");
    });
}

#[test]
fn read_line_appends_one_line_at_a_time() {
    run(async {
        let mut reader = BufReader::new(Pieces::new(["on", "e\ntw", "o\nthree"]));
        let mut text = String::new();
        for (len, all) in [
            (4, "one\n"),
            (4, "one\ntwo\n"),
            (5, "one\ntwo\nthree"),
            (0, "one\ntwo\nthree"),
        ] {
            assert_eq!(reader.read_line(&mut text).await.ok(), Some(len));
            assert_eq!(text, all);
        }
    });
}

#[test]
fn segments_end_at_their_byte() {
    run(async {
        let mut segments = BufReader::new(Pieces::new(["a\0b", "c\0", "\0d"])).split(0);
        for expected in [Some("a"), Some("bc"), Some(""), Some("d"), None] {
            let segment = segments.next_segment().await.expect("bytes");
            assert_eq!(segment.as_deref(), expected.map(str::as_bytes));
        }
        let mut reader = BufReader::new(Pieces::new(["a;b", "c;d"]));
        let mut read = Vec::new();
        for (len, all) in [(2, "a;"), (3, "a;bc;"), (1, "a;bc;d"), (0, "a;bc;d")] {
            assert_eq!(reader.read_until(b';', &mut read).await.ok(), Some(len));
            assert_eq!(read, all.as_bytes());
        }
    });
}
