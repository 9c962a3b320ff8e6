//! One count in a process of its own, with a limit of time.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::processors::Counts;

/// The limit of one count.
const LIMIT: Duration = Duration::from_secs(120);
/// Attempts until a count that exceeds the limit is an error.
const ATTEMPTS: usize = 3;

/// Counts a subject.
pub(crate) fn run(arguments: &[String]) -> Counts {
    for _ in 0..ATTEMPTS {
        match attempt(arguments) {
            Some(counts) => return counts,
            None => eprintln!("scale: {} exceeded the limit of time", arguments.join(" ")),
        }
    }
    panic!("{} did not end {ATTEMPTS} times", arguments.join(" "));
}

/// Returns `None` if the count exceeds the limit.
fn attempt(arguments: &[String]) -> Option<Counts> {
    let program = std::env::current_exe().expect("the program has a path");
    let mut command = Command::new(program);
    command.arg("count").args(arguments).stdout(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    if !ends(&mut child) {
        child.kill().expect("it runs");
        child.wait().expect("it was killed");
        return None;
    }
    let mut line = String::new();
    let mut output = child.stdout.take().expect("it is piped");
    output.read_to_string(&mut line).expect("it is text");
    Some(Counts::from_line(&line).expect("the count of a subject succeeds"))
}

fn ends(child: &mut Child) -> bool {
    let begin = Instant::now();
    while begin.elapsed() < LIMIT {
        if child.try_wait().expect("it is a child").is_some() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}
