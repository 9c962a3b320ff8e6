//! Lines, and pieces between bytes.

use std::io::ErrorKind;

use volt::io::{AsyncBufReadExt, BufReader};

use super::slow::{Pieces, pair, run};

#[test]
fn lines_of_a_connection_come_whole() {
    run(async {
        let (near, far) = pair().await;
        let sender = volt::spawn(async move {
            for n in 0..2000 {
                let line = format!("{n}: {}\n", "é".repeat(n % 97));
                // In two writes, between which the umlaut may be cut.
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
fn line_that_is_too_long_is_an_error() {
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
                let error = lines.next_line().await.expect_err("it is too long");
                assert_eq!(error.kind(), ErrorKind::InvalidData);
                assert_eq!(error.to_string(), "a line is longer than 5 bytes");
            }
        }
    });
}

#[test]
fn line_that_is_no_text_is_passed_over() {
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
