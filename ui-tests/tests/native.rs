//! Machines in the native layout: any body, the compiler's own coroutine, a name.

use std::cell::Cell;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use volt::machine::StateMachine;

async fn turn() {
    let mut polled = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut polled, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

struct Reader(Vec<u8>);

impl Reader {
    async fn read(&mut self, buf: &mut [u8]) -> usize {
        turn().await;
        let n = buf.len().min(self.0.len());
        buf[..n].copy_from_slice(&self.0[..n]);
        self.0.drain(..n);
        n
    }
}

#[volt::state_machine(native)]
async fn count(reader: &mut Reader, words: &[&str]) -> usize {
    let mut buf = [0; 4];
    let mut total = 0;
    let title = words.iter().next();
    loop {
        let n = reader.read(&mut buf).await;
        if n == 0 {
            break;
        }
        for byte in buf[..n].iter() {
            turn().await;
            total += usize::from(*byte);
        }
    }
    turn().await;
    total + title.map_or(0, |it| it.len())
}

#[volt::state_machine(native)]
async fn outer(bytes: Vec<u8>) -> usize {
    let held = Rc::new(Cell::new(1));
    let mut reader = Reader(bytes);
    let sum = count(&mut reader, &["four"]).await;
    sum + held.get()
}

fn trace(machine: &impl StateMachine) -> Vec<String> {
    let mut found = Vec::new();
    machine.trace(&mut |state| found.push(format!("{} {}", state.machine, state)));
    found
}

#[test]
fn machine_reports_its_await_and_awaited_future() {
    let mut machine = pin!(outer(vec![1, 2, 3, 4, 5]));
    let mut cx = Context::from_waker(Waker::noop());
    assert_eq!(trace(&*machine), ["Outer start @ 55:10"]);
    let mut seen = Vec::new();
    let sum = loop {
        match machine.as_mut().poll(&mut cx) {
            Poll::Ready(sum) => break sum,
            Poll::Pending => seen.push(trace(&*machine).join(" > ")),
        }
    };
    assert_eq!(sum, 15 + 4 + 1);
    println!("{seen:#?}");
    println!("{}", Count::mermaid());
    println!(
        "{:?} {:?} {}",
        Count::LAYOUT,
        machine,
        size_of::<Count<'_, '_, '_>>()
    );
    assert!(machine.is_terminated());
}

fn is_send<T: Send>(_: &T) {}

#[test]
fn named() {
    let mut reader = Reader(vec![]);
    let machine: Count<'_, '_, '_> = count(&mut reader, &[]);
    is_send(&machine);
    let named: Pin<Box<Count<'_, '_, '_>>> = Box::pin(machine);
    drop(named);
}

fn run<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut cx = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return output;
        }
    }
}

trait Get {
    fn get(&self) -> u32;
}
impl Get for u32 {
    fn get(&self) -> u32 {
        *self
    }
}

// A function with a fallback reason is native by default.
#[volt::state_machine]
async fn generic<T: Get>(value: T, future: impl Future<Output = u32>, more: impl Get + '_) -> u32 {
    let sum = async { value.get() }.await;
    sum + future.await + more.get()
}

#[volt::state_machine(native)]
async fn patterns((a, _): (String, String), [b, c]: [u8; 2], mut d: u32, _: Vec<u8>) -> String {
    d += 1;
    turn().await;
    format!("{a}{b}{c}{d}")
}

#[volt::state_machine(native)]
async fn elided(text: &str, _other: u32) -> &str {
    turn().await;
    &text[1..]
}

struct Ctx<'a>(&'a str);

#[volt::state_machine(native)]
async fn in_path(ctx: Ctx<'_>) -> Ctx<'_> {
    turn().await;
    Ctx(&ctx.0[1..])
}

#[volt::state_machine(native)]
async unsafe fn unsafely(at: *const u8) -> u8 {
    // SAFETY: the caller's promise.
    unsafe { *at }
}

#[volt::state_machine(native)]
async fn implied<'a, 'b>(x: &'a &'b str) -> &'a str {
    turn().await;
    let y: &'a str = x;
    y
}

#[volt::state_machine(native)]
async fn boxed_error(fail: bool) -> Result<u32, Box<dyn std::error::Error>> {
    if fail {
        return Err("no".into());
    }
    turn().await;
    let number: u32 = "3".parse()?;
    Ok(number)
}

#[volt::state_machine(native)]
async fn fib(n: u32) -> u32 {
    if n < 2 {
        return n;
    }
    Box::pin(fib(n - 1)).await + Box::pin(fib(n - 2)).await
}

struct Conn<'c, T> {
    name: &'c str,
    value: T,
}

#[volt::state_machine]
impl<'c, T: Get> Conn<'c, T> {
    pub async fn read(&mut self, more: &[u32]) -> u32 {
        let first = more.iter().next().copied();
        turn().await;
        self.help(first.unwrap_or(0)).await + Self::fixed()
    }

    async fn help(&self, more: u32) -> u32 {
        async { self.value.get() + more }.await
    }

    fn fixed() -> u32 {
        1
    }

    #[state_machine(native)]
    async fn text(&self) -> &'c str {
        println!("{}", async { 1 }.await);
        self.name
    }

    #[state_machine(native)]
    async fn of_self(mut self) -> T
    where
        T: Default,
    {
        std::mem::take(&mut self.value)
    }

    #[state_machine(native)]
    async fn shared(self: std::sync::Arc<Self>, n: u32) -> u32 {
        self.value.get() + n
    }

    #[state_machine(native)]
    async fn pinned(self: Pin<&mut Self>) -> &str {
        turn().await;
        self.as_ref().get_ref().name
    }
}

#[test]
fn signatures_of_all_kinds() {
    assert_eq!(run(generic(1, async { 2 }, 3)), 6);
    let strings = ("a".to_owned(), "b".to_owned());
    assert_eq!(run(patterns(strings, [1, 2], 3, vec![])), "a124");
    assert_eq!(run(elided("abc", 1)), "bc");
    assert_eq!(run(in_path(Ctx("abc"))).0, "bc");
    let byte = 7;
    // SAFETY: `byte` lives on.
    assert_eq!(run(unsafe { unsafely(&byte) }), 7);
    assert_eq!(run(implied(&"xy")), "xy");
    assert!(run(boxed_error(true)).is_err());
    assert_eq!(run(boxed_error(false)).unwrap(), 3);
    assert_eq!(run(fib(10)), 55);
    let mut conn = Conn {
        name: "c",
        value: 5,
    };
    assert_eq!(run(conn.read(&[1, 2])), 7);
    assert_eq!(run(conn.text()), "c");
    assert_eq!(run(Pin::new(&mut conn).pinned()), "c");
    assert_eq!(run(conn.of_self()), 5);
    let conn = std::sync::Arc::new(Conn {
        name: "c",
        value: 5,
    });
    assert_eq!(run(conn.shared(2)), 7);

    is_send(&generic(1, std::future::ready(1), 1));
}

#[volt::state_machine]
async fn words(text: &str) -> impl Iterator<Item = &str> + '_ {
    turn().await;
    text.split(' ')
}

#[volt::state_machine(native)]
async fn depth<T: Copy + Send + Sync>(n: u32, value: T) -> u32 {
    if n == 0 {
        return 0;
    }
    1 + Box::pin(depth(n - 1, value)).await
}

#[volt::state_machine(boxed, send)]
async fn in_box<T: Send>(value: T) -> T {
    async { turn().await }.await;
    value
}

#[volt::state_machine(inline = 64)]
async fn in_bytes<T>(value: T) -> T {
    async { turn().await }.await;
    value
}

#[test]
fn outputs_and_parameters_without_a_name() {
    assert_eq!(run(words("a b")).count(), 2);
    is_send(&words("a"));
    assert_eq!(run(depth(5, ())), 5);
    is_send(&depth(5, 1));
    let boxed: InBox<u32> = in_box(3);
    is_send(&boxed);
    assert_eq!(run(boxed), 3);
    let inline: InBytes<u32> = in_bytes(3);
    assert_eq!(run(inline), 3);
    drop(in_box(String::new()));
    let mut machine = Box::pin(in_box(String::from("kept")));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(machine.as_mut().poll(&mut cx).is_pending());
    println!("{machine:?}");
}

#[volt::state_machine]
#[tracing::instrument(skip(text), fields(length = text.len()))]
async fn instrumented(text: &str, id: u32) -> usize {
    turn().await;
    text.len() + id as usize
}

#[volt::state_machine]
impl Ctx<'_> {
    #[tracing::instrument(skip(self), err)]
    async fn instrumented(&self, (a, b): (u32, u32)) -> Result<u32, std::fmt::Error> {
        turn().await;
        Ok(a + b + self.0.len() as u32)
    }
}

#[volt::state_machine]
#[volt::test]
async fn test_is_a_machine() {
    turn().await;
}

#[test]
fn attributes_of_others() {
    assert_eq!(run(instrumented("abc", 1)), 4);
    let mut machine = pin!(instrumented("abc", 1));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(machine.as_mut().poll(&mut cx).is_pending());
    println!("{:?}", trace(&*machine));
    assert_eq!(run(Ctx("abc").instrumented((1, 2))).unwrap(), 6);
    is_send(&instrumented("abc", 1));
}

/// An argument that is only there under a condition.
#[volt::state_machine(native)]
async fn configured(first: u32, #[cfg(windows)] second: u32) -> u32 {
    turn().await;
    first
}

struct Page;

/// A type with the machine's own name.
#[volt::state_machine]
async fn page(page: Page) -> Page {
    async {}.await;
    page
}

#[test]
fn names_and_conditions() {
    assert_eq!(run(configured(1)), 1);
    run(page(Page));
}

#[volt::state_machine(native, trace = false)]
async fn untraced(number: u64) -> u64 {
    #[state(Resting)]
    turn().await;
    number
}

async fn plain(number: u64) -> u64 {
    turn().await;
    number
}

#[test]
fn untraced_machine_adds_at_most_8_bytes() {
    assert_eq!(run(untraced(1)), 1);
    assert_eq!(Untraced::STATES.len(), 2);
    assert!(size_of::<Untraced>() <= size_of_val(&plain(1)) + 8);
}

#[volt::state_machine]
async fn endless() -> ! {
    loop {
        turn().await;
    }
}

#[test]
fn function_without_return_is_a_machine() {
    let mut machine = pin!(endless());
    let mut cx = Context::from_waker(Waker::noop());
    assert!(machine.as_mut().poll(&mut cx).is_pending());
    assert_eq!(machine.state().name, "await turn");
}
