//! The standard streams. Each test runs in a separate process whose streams are pipes.
#![cfg(all(feature = "rt", unix, not(miri)))]

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;

use volt::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, stderr, stdin, stdout};
use volt::time::timeout;

const CHILD: &str = "VOLT_TEST_OF_STREAMS";

/// Starts the test with this name in another process. Returns `None` in that process.
fn child(test: &str) -> Option<Child> {
    if std::env::var_os(CHILD).is_some() {
        return None;
    }
    let mut this = Command::new(std::env::current_exe().unwrap());
    this.args(["--exact", "--nocapture", test]).env(CHILD, "1");
    this.stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Some(this.spawn().unwrap())
}

fn text_of(stream: Option<impl Read>) -> String {
    let mut text = String::new();
    stream.unwrap().read_to_string(&mut text).unwrap();
    text
}

fn run<F: Future>(future: F) -> F::Output {
    volt::Runtime::new().unwrap().block_on(future)
}

/// Writes a marked word to the standard error, between the output of the harness.
async fn print_word(word: &str) {
    let mut stream = stderr();
    stream
        .write_all(format!("[{word}]").as_bytes())
        .await
        .unwrap();
    stream.flush().await.unwrap();
}

fn expect_word(child: &mut Child, word: &str) {
    let (expected, mut received) = (format!("[{word}]"), Vec::new());
    let stream = child.stderr.as_mut().unwrap();
    while !received.ends_with(expected.as_bytes()) {
        let mut byte = [0];
        assert_eq!(stream.read(&mut byte).unwrap(), 1, "{received:?}");
        received.push(byte[0]);
    }
}

fn pattern() -> Vec<u8> {
    (0..1_500_000u32)
        .map(|at| b'a' + ((at * 31 + at / 251) % 26) as u8)
        .collect()
}

#[test]
fn megabytes_pass_through_whole() {
    let Some(mut child) = child("megabytes_pass_through_whole") else {
        return run(async {
            let mut bytes = Vec::new();
            stdin().read_to_end(&mut bytes).await.unwrap();
            let mut stream = stdout();
            stream.write_all(b"<").await.unwrap();
            stream.write_all(&bytes).await.unwrap();
            stream.write_all(b">").await.unwrap();
            stream.flush().await.unwrap();
        });
    };
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(&pattern()).unwrap());
    let text = text_of(child.stdout.take());
    writer.join().unwrap();
    let (begin, end) = (text.find('<').unwrap() + 1, text.rfind('>').unwrap());
    assert!(text.as_bytes()[begin..end] == pattern(), "{}", end - begin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn lines_are_read_as_they_are_written() {
    let Some(mut child) = child("lines_are_read_as_they_are_written") else {
        return run(async {
            let mut lines = BufReader::new(stdin()).lines();
            while let Some(line) = lines.next_line().await.unwrap() {
                print_word(&line).await;
            }
            print_word("over").await;
        });
    };
    let mut input: ChildStdin = child.stdin.take().unwrap();
    for word in ["one", "two", "three"] {
        input.write_all(format!("{word}\n").as_bytes()).unwrap();
        expect_word(&mut child, word);
    }
    drop(input);
    expect_word(&mut child, "over");
    assert!(child.wait().unwrap().success());
}

/// The shutdown of a runtime does not wait for a read. The next runtime receives its bytes.
#[test]
fn ended_runtime_leaves_input_to_the_next() {
    let Some(mut child) = child("ended_runtime_leaves_input_to_the_next") else {
        run(async {
            let mut byte = [0];
            let mut input = stdin();
            let limit = Duration::from_millis(20);
            assert!(timeout(limit, input.read(&mut byte)).await.is_err());
            volt::spawn(async move { input.read(&mut byte).await }).detach();
            volt::task::yield_now().await;
        });
        return run(async {
            print_word("ended").await;
            let mut bytes = Vec::new();
            stdin().read_to_end(&mut bytes).await.unwrap();
            assert_eq!(bytes, b"later");
        });
    };
    let mut input = child.stdin.take().unwrap();
    expect_word(&mut child, "ended");
    input.write_all(b"later").unwrap();
    drop(input);
    let errors = text_of(child.stderr.take());
    assert!(child.wait().unwrap().success(), "{errors}");
}

/// Each byte is returned to one reader, and no reader waits after the end of the input.
#[test]
fn readers_share_the_input() {
    let Some(mut child) = child("readers_share_the_input") else {
        return run(async {
            let readers = (0..8).map(|_| {
                volt::spawn(async {
                    let (mut count, mut input, mut byte) = (0, stdin(), [0]);
                    while input.read(&mut byte).await.unwrap() > 0 {
                        count += 1;
                    }
                    count
                })
            });
            let mut count = 0;
            for reader in readers.collect::<Vec<_>>() {
                count += reader.await.unwrap();
            }
            assert_eq!(count, 40_000);
        });
    };
    let mut input = child.stdin.take().unwrap();
    input.write_all(&[7; 40_000]).unwrap();
    drop(input);
    let errors = text_of(child.stderr.take());
    assert!(child.wait().unwrap().success(), "{errors}");
}

#[test]
fn write_to_a_closed_pipe_fails_in_the_flush() {
    let Some(mut child) = child("write_to_a_closed_pipe_fails_in_the_flush") else {
        return run(async {
            let mut byte = [0];
            assert_eq!(stdin().read(&mut byte).await.unwrap(), 0);
            let mut stream = stdout();
            stream.write_all(b"hello\n").await.unwrap();
            let error = stream.flush().await.unwrap_err();
            assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
            print_word("failed").await;
            // The harness would panic, because it cannot print.
            std::process::exit(0);
        });
    };
    let mut output = child.stdout.take().unwrap();
    // The harness has printed that it runs one test.
    assert!(output.read(&mut [0; 256]).unwrap() > 0);
    drop(output);
    drop(child.stdin.take());
    expect_word(&mut child, "failed");
    assert!(child.wait().unwrap().success());
}

/// Returns the text between the marks, without the output of the harness.
fn between(text: &str) -> &str {
    let (begin, end) = (text.find('<').unwrap() + 1, text.rfind('>').unwrap());
    &text[begin..end]
}

#[test]
fn lines_of_many_handles_keep_their_order() {
    let Some(mut child) = child("lines_of_many_handles_keep_their_order") else {
        return run(async {
            stdout().write_all(b"<").await.unwrap();
            for n in 0..1_000 {
                let line = format!("{n}\n");
                stdout().write_all(line.as_bytes()).await.unwrap();
            }
            stdout().write_all(b">").await.unwrap();
            // A new handle waits for the writes of all other handles.
            stdout().flush().await.unwrap();
            std::process::exit(0);
        });
    };
    let text = text_of(child.stdout.take());
    let lines = between(&text)
        .lines()
        .map(|line| line.parse::<u32>().unwrap());
    assert!(lines.eq(0..1_000), "{text}");
    assert!(child.wait().unwrap().success());
}

/// Both streams are the same file.
#[test]
fn output_and_errors_share_one_order() {
    const TEST: &str = "output_and_errors_share_one_order";
    if std::env::var_os(CHILD).is_some() {
        return run(async {
            for n in 0..300 {
                let line = format!("{n}\n");
                match n % 2 {
                    0 => stdout().write_all(line.as_bytes()).await.unwrap(),
                    _ => stderr().write_all(line.as_bytes()).await.unwrap(),
                }
            }
        });
    }
    let path = std::env::temp_dir().join(format!("volt-one-order-{}", std::process::id()));
    let file = std::fs::File::create(&path).unwrap();
    let mut this = Command::new(std::env::current_exe().unwrap());
    this.args(["--exact", "--nocapture", TEST]).env(CHILD, "1");
    this.stdout(file.try_clone().unwrap()).stderr(file);
    assert!(this.status().unwrap().success());
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let lines: Vec<u32> = text.lines().filter_map(|line| line.parse().ok()).collect();
    assert!(lines.iter().copied().eq(0..300), "{lines:?}");
}

#[test]
fn accepted_output_is_written_at_shutdown() {
    let Some(mut child) = child("accepted_output_is_written_at_shutdown") else {
        let builder = volt::Builder::new().max_blocking_threads(1);
        let runtime = builder.build().unwrap();
        runtime.block_on(async {
            volt::spawn_blocking(|| std::thread::sleep(Duration::from_millis(30))).detach();
            stdout().write_all(b"<hello>").await.unwrap();
        });
        return drop(runtime);
    };
    let text = text_of(child.stdout.take());
    assert_eq!(between(&text), "hello");
    assert!(child.wait().unwrap().success());
}

#[test]
fn flush_writes_the_buffer_of_print() {
    let Some(mut child) = child("flush_writes_the_buffer_of_print") else {
        return run(async {
            // With `--nocapture`, the harness captures nothing.
            print!("<hello>");
            stdout().flush().await.unwrap();
            std::process::abort();
        });
    };
    assert_eq!(between(&text_of(child.stdout.take())), "hello");
    assert!(!child.wait().unwrap().success());
}
