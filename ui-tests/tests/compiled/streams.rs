//! Foreign futures that borrow locals, in machines whose locals have no written types.

use volt::machine::{Layout, StateMachine};

use super::run::{cancel_after, run, turn};

struct Stream(Vec<u8>);

impl Stream {
    async fn read_buf(&mut self, buf: &mut Vec<u8>) -> Result<usize, Broken> {
        turn().await;
        let n = self.0.len().min(3);
        buf.extend(self.0.drain(..n));
        Ok(n)
    }

    async fn peek<'a>(&mut self, buf: &'a [u8; 4]) -> &'a [u8] {
        turn().await;
        &buf[..2]
    }

    async fn with_tag(&mut self, buf: &mut Vec<u8>, tag: String, word: &str) -> usize {
        turn().await;
        buf.extend(self.0.drain(..2));
        buf.len() + tag.len() + word.len()
    }
}

#[derive(Debug)]
struct Broken;

async fn count(n: usize) -> usize {
    turn().await;
    n
}

#[volt::state_machine]
async fn handle(mut stream: Stream) -> Result<usize, Broken> {
    let mut buf = Vec::new();
    let mut total = 0;
    loop {
        let n = stream.read_buf(&mut buf).await?;
        if n == 0 {
            break;
        }
        let line = count(n).await;
        total += line;
        buf.clear();
    }
    Ok(total)
}

#[test]
fn loop_over_foreign_futures_runs() {
    assert_eq!(Handle::LAYOUT, Layout::Explicit);
    let (output, polls) = run(handle(Stream(vec![1; 7])));
    assert_eq!((output.unwrap(), polls), (7, 8));
    assert!(size_of::<Handle>() <= Handle::NATIVE_SIZE.unwrap());
    for polls in 0..8 {
        cancel_after(polls, handle(Stream(vec![1; 7])));
    }
}

#[volt::state_machine]
async fn peeks(mut stream: Stream) -> usize {
    let buf = [1, 2, 3, 4];
    let line = stream.peek(&buf).await;
    let n = buf.len();
    usize::from(line[1]) + n
}

#[test]
fn output_may_inspect_borrowed_local() {
    assert_eq!(run(peeks(Stream(Vec::new()))), (6, 2));
}

#[volt::state_machine]
async fn tagged(mut stream: Stream, word: &str) -> (usize, Vec<u8>) {
    let mut buf = Vec::new();
    let tag = String::from("abc");
    let n = stream.with_tag(&mut buf, tag, word).await;
    (n, buf)
}

#[test]
fn borrowed_future_takes_values_and_borrows() {
    let (output, polls) = run(tagged(Stream(vec![7; 9]), "xy"));
    assert_eq!((output, polls), ((7, vec![7, 7]), 2));
    cancel_after(1, tagged(Stream(vec![7; 9]), "xy"));
}

#[repr(align(128))]
struct Wide(u8);

async fn wide(value: &mut Wide) -> u8 {
    let own = Wide(value.0);
    turn().await;
    assert!(std::ptr::from_ref(&own).is_aligned());
    own.0
}

#[volt::state_machine]
async fn aligned(number: u8) -> u8 {
    let mut value = Wide(number);
    let first = wide(&mut value).await;
    first + value.0
}

#[test]
fn plan_has_the_largest_alignment() {
    assert_eq!(align_of::<Aligned>(), 128);
    let machines = [aligned(1), aligned(2)];
    let sum: u8 = machines.map(|machine| run(machine).0).iter().sum();
    assert_eq!(sum, 6);
}
