//! Random streams, compared with models. Readers and writers transfer pieces, wait and fail, and
//! futures are dropped before completion. No byte is lost or repeated, and each error is reported
//! once.

use std::collections::VecDeque;
use std::future::Future;
use std::io::{self, ErrorKind};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use volt::io::{
    AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader, BufWriter,
    copy, copy_buf, duplex,
};

const ROUNDS: u64 = 3000;

/// A random number generator with a seed.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % limit
    }

    fn bytes(&mut self, alphabet: &[&[u8]], most: usize) -> Vec<u8> {
        let len = self.below(most);
        let letters = (0..len).map(|_| alphabet[self.below(alphabet.len())]);
        letters.collect::<Vec<_>>().concat()
    }
}

/// The result of one poll of a stream.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Move(usize),
    Wait,
    Fail,
}

/// A reader and writer that follows a script, and then transfers all bytes.
#[derive(Debug, Default)]
struct Scripted {
    steps: VecDeque<Step>,
    source: VecDeque<u8>,
    written: Vec<u8>,
    failures: usize,
}

impl Scripted {
    fn new(random: &mut Random, source: &[u8]) -> Self {
        let step = |random: &mut Random| match random.below(6) {
            0 => Step::Wait,
            1 => Step::Fail,
            _ => Step::Move(1 + random.below(9)),
        };
        Self {
            steps: (0..random.below(40)).map(|_| step(random)).collect(),
            source: source.iter().copied().collect(),
            ..Self::default()
        }
    }

    fn without_failures(mut self) -> Self {
        self.steps.retain(|step| *step != Step::Fail);
        self
    }

    fn poll_step(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        match self.steps.pop_front().unwrap_or(Step::Move(usize::MAX)) {
            Step::Move(most) => Poll::Ready(Ok(most)),
            Step::Wait => {
                cx.waker().wake_by_ref();
                Poll::Pending
            }
            Step::Fail => {
                self.failures += 1;
                Poll::Ready(Err(ErrorKind::TimedOut.into()))
            }
        }
    }
}

impl AsyncRead for Scripted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let most = std::task::ready!(self.poll_step(cx))?.min(buf.len());
        Poll::Ready(io::Read::read(&mut self.source, &mut buf[..most]))
    }
}

impl AsyncWrite for Scripted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        let most = std::task::ready!(self.poll_step(cx))?.min(buf.len());
        self.written.extend_from_slice(&buf[..most]);
        Poll::Ready(Ok(most))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_step(cx).map_ok(drop)
    }

    fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(cx)
    }
}

/// Polls a future up to `polls` times, and drops it.
fn polled<F: Future>(future: F, polls: usize) -> Option<F::Output> {
    let mut future = pin!(future);
    let mut cx = Context::from_waker(Waker::noop());
    (0..polls).find_map(|_| match future.as_mut().poll(&mut cx) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    })
}

/// Polls a future until it is ready.
fn awaited<F: Future>(future: F) -> F::Output {
    polled(future, 10_000).expect("each wait is short")
}

const BYTES: &[&[u8]] = &[
    b"a",
    b"bc",
    b"\n",
    b"\n",
    b"\r\n",
    b"\r",
    b";",
    b"\xff",
    "é".as_bytes(),
    b"\xc3",
];
const ASCII: &[&[u8]] = &[b"a", b"bc", b"\n", b"\r\n", b";", b" "];

/// Returns the lines of a text. `None` is a line that is too long or not UTF-8.
fn model_of_lines(text: &[u8], limit: usize) -> Vec<Option<String>> {
    let lines = text.split_inclusive(|byte| *byte == b'\n').map(|line| {
        let line = match line {
            [line @ .., b'\r', b'\n'] | [line @ .., b'\n'] => line,
            line => line,
        };
        let line = (line.len() <= limit).then_some(line)?;
        String::from_utf8(line.to_vec()).ok()
    });
    lines.collect()
}

#[test]
fn lines_agree_with_a_model() {
    for seed in 0..ROUNDS {
        let mut random = Random::new(seed);
        let text = random.bytes(BYTES, 40);
        let limit = [random.below(6), usize::MAX][random.below(2)];
        let reader = Scripted::new(&mut random, &text);
        let mut lines = BufReader::with_capacity(1 + random.below(9), reader)
            .lines()
            .max_length(limit);
        let (mut found, mut failures) = (Vec::new(), 0);
        loop {
            match polled(lines.next_line(), 1 + random.below(3)) {
                None => {}
                Some(Ok(Some(line))) => found.push(Some(line)),
                Some(Ok(None)) => break,
                Some(Err(error)) if error.kind() == ErrorKind::TimedOut => failures += 1,
                Some(Err(_)) => found.push(None),
            }
        }
        assert_eq!(
            found,
            model_of_lines(&text, limit),
            "seed {seed}: {text:?}, {limit}"
        );
        assert_eq!(failures, lines.get_ref().get_ref().failures, "seed {seed}");
    }
}

#[test]
fn pieces_and_read_until_agree_with_a_model() {
    for seed in 0..ROUNDS {
        let mut random = Random::new(seed);
        let text = random.bytes(BYTES, 40);
        let capacity = 1 + random.below(9);
        let limit = random.below(4);
        let reader = BufReader::with_capacity(capacity, Scripted::new(&mut random, &text));
        let mut split = reader.split(b';').max_length(limit);
        let mut found = Vec::new();
        loop {
            match polled(split.next_segment(), 1 + random.below(3)) {
                None => {}
                Some(Ok(Some(piece))) => found.push(Some(piece)),
                Some(Ok(None)) => break,
                Some(Err(error)) if error.kind() == ErrorKind::TimedOut => {}
                Some(Err(_)) => found.push(None),
            }
        }
        let pieces = text.split_inclusive(|byte| *byte == b';').map(|piece| {
            let piece = piece.strip_suffix(b";").unwrap_or(piece);
            (piece.len() <= limit).then(|| piece.to_vec())
        });
        assert_eq!(
            found,
            pieces.collect::<Vec<_>>(),
            "seed {seed}: {text:?}, {limit}"
        );

        let scripted = Scripted::new(&mut random, &text);
        let (mut reader, mut all) = (BufReader::with_capacity(capacity, scripted), Vec::new());
        // Zero bytes can be the rest of a segment that another call has begun.
        while !matches!(polled(reader.read_until(b';', &mut all), 2), Some(Ok(0))) {}
        assert_eq!(all, text, "seed {seed}");
    }
}

#[test]
fn strings_survive_drops_and_failures() {
    for seed in 0..ROUNDS {
        let mut random = Random::new(seed);
        let text = random.bytes(ASCII, 40);
        let capacity = 1 + random.below(9);
        let scripted = Scripted::new(&mut random, &text);
        let (mut reader, mut line) = (BufReader::with_capacity(capacity, scripted), String::new());
        let mut failures = 0;
        loop {
            match polled(reader.read_line(&mut line), 1 + random.below(3)) {
                Some(Ok(0)) => break,
                Some(Err(_)) => failures += 1,
                Some(Ok(_)) | None => {}
            }
        }
        assert_eq!(line.as_bytes(), text, "seed {seed}");
        assert_eq!(failures, reader.get_ref().failures, "seed {seed}");

        let (mut reader, mut all) = (Scripted::new(&mut random, &text), String::from("> "));
        while !matches!(polled(reader.read_to_string(&mut all), 2), Some(Ok(_))) {}
        assert_eq!(
            all.strip_prefix("> ").map(str::as_bytes),
            Some(&text[..]),
            "seed {seed}"
        );

        let (mut reader, mut all) = (Scripted::new(&mut random, &text), Vec::new());
        while !matches!(polled(reader.read_to_end(&mut all), 2), Some(Ok(_))) {}
        assert_eq!(all, text, "seed {seed}");
    }
}

#[test]
fn numbers_survive_drops_and_failures() {
    for seed in 0..ROUNDS {
        let mut random = Random::new(seed);
        let bytes = random.bytes(BYTES, 40);
        let scripted = Scripted::new(&mut random, &bytes);
        let mut reader = BufReader::with_capacity(1 + random.below(9), scripted);
        let mut expected = bytes.chunks_exact(4);
        loop {
            match polled(reader.read_i32(), 1 + random.below(3)) {
                Some(Ok(number)) => assert_eq!(Some(&number.to_be_bytes()[..]), expected.next()),
                Some(Err(error)) if error.kind() == ErrorKind::UnexpectedEof => break,
                Some(Err(_)) | None => {}
            }
        }
        assert!(expected.next().is_none(), "seed {seed}");
        assert_eq!(reader.buffer(), expected.remainder(), "seed {seed}");
    }
}

/// Without drops and failures, split characters are read too.
#[test]
fn read_line_agrees_with_the_standard_library() {
    for seed in 0..ROUNDS {
        let mut random = Random::new(seed);
        let text = random.bytes(BYTES, 30);
        let scripted = Scripted::new(&mut random, &text).without_failures();
        let mut reader = BufReader::with_capacity(1 + random.below(5), scripted);
        let mut expected = &text[..];
        loop {
            let (mut ours, mut theirs) = (String::from("> "), String::from("> "));
            let read = awaited(reader.read_line(&mut ours)).ok();
            let model = io::BufRead::read_line(&mut expected, &mut theirs).ok();
            assert_eq!((read, &ours), (model, &theirs), "seed {seed}: {text:?}");
            if read == Some(0) {
                break;
            }
        }
    }
}

#[test]
fn buffered_bytes_survive_failures_of_their_writer() {
    for seed in 0..ROUNDS {
        let mut random = Random::new(seed);
        let inner = Scripted::new(&mut random, b"");
        let mut writer = BufWriter::with_capacity(random.below(9), inner);
        let (mut accepted, mut failures) = (Vec::new(), 0);
        for _ in 0..random.below(20) {
            let bytes = random.bytes(ASCII, 8);
            let written = match random.below(4) {
                0 => polled(writer.flush(), 2).map(|flushed| flushed.map(|()| 0)),
                _ => polled(writer.write(&bytes), 1 + random.below(3)),
            };
            match written {
                Some(Ok(count)) => accepted.extend_from_slice(&bytes[..count]),
                Some(Err(_)) => failures += 1,
                None => {}
            }
            let sent = [&writer.get_ref().written[..], writer.buffer()].concat();
            assert_eq!(sent, accepted, "seed {seed}");
        }
        while !matches!(polled(writer.close(), 2), Some(Ok(()))) {
            failures += usize::from(writer.get_ref().failures > failures);
        }
        assert_eq!(writer.get_ref().written, accepted, "seed {seed}");
        assert_eq!(writer.get_ref().failures, failures, "seed {seed}");
    }
}

#[test]
fn copies_move_a_prefix_or_everything() {
    for seed in 0..ROUNDS {
        let mut random = Random::new(seed);
        let text = random.bytes(BYTES, 40);
        let mut reader = Scripted::new(&mut random, &text);
        let mut writer = Scripted::new(&mut random, b"");
        let result = match random.below(2) {
            0 => awaited(copy(&mut reader, &mut writer)),
            _ => {
                let reader = BufReader::with_capacity(1 + random.below(9), &mut reader);
                awaited(copy_buf(reader, &mut writer))
            }
        };
        let failures = reader.failures + writer.failures;
        match result {
            Ok(moved) => assert_eq!((moved, failures), (text.len() as u64, 0), "seed {seed}"),
            Err(_) => assert_eq!(failures, 1, "seed {seed}"),
        }
        assert!(text.starts_with(&writer.written), "seed {seed}");
    }
}

#[test]
fn duplex_carries_every_byte_in_order() {
    for seed in 0..ROUNDS {
        let mut random = Random::new(seed);
        let text = random.bytes(BYTES, 40);
        let (mut near, mut far) = duplex(1 + random.below(9));
        let (mut sent, mut received, mut buf) = (0, Vec::new(), [0; 8]);
        loop {
            if sent < text.len() && random.below(2) == 0 {
                let end = text.len().min(sent + random.below(9));
                sent += polled(near.write(&text[sent..end]), 1)
                    .map_or(0, |written| written.expect("open"));
            } else if sent == text.len() {
                awaited(near.close()).expect("closed");
            }
            let most = 1 + random.below(8);
            match polled(far.read(&mut buf[..most]), 1) {
                Some(Ok(0)) => break,
                Some(read) => received.extend_from_slice(&buf[..read.expect("open")]),
                None => {}
            }
        }
        assert_eq!(received, text, "seed {seed}");
    }
}
