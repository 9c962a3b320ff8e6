//! Everyday functions: handlers, retry loops, parsers, locks, updates of state. Most of their
//! machines are explicit.
#![allow(
    clippy::all,
    clippy::pedantic,
    dead_code,
    unused,
    reason = "as users write them"
)]

use volt::machine::{Layout, StateMachine};

#[path = "everyday/world.rs"]
mod world;

macro_rules! subject {
    ($($function:tt)*) => { pub(crate) $($function)* };
}

/// The functions as they are.
#[path = "everyday"]
mod plain {
    #[path = "functions.rs"]
    pub(crate) mod functions;
}

macro_rules! subject {
    ($($function:tt)*) => { #[volt::state_machine] pub(crate) $($function)* };
}

/// The functions as machines.
#[path = "everyday"]
mod machines {
    #[path = "functions.rs"]
    pub(crate) mod functions;
}

/// A function: its name, the size of the compiler's future, the size of the machine, and the
/// layout.
type Row = (&'static str, usize, usize, Layout);

macro_rules! sizes {
    ($($size:ident $machine:ident ($($arg:ident)*);)*) => { $(
        fn $size<$($arg,)* R>(_: impl Fn($($arg),*) -> R) -> usize {
            size_of::<R>()
        }
        fn $machine<$($arg,)* R: StateMachine>(_: impl Fn($($arg),*) -> R) -> (usize, Layout) {
            (size_of::<R>(), R::LAYOUT)
        }
    )* };
}

sizes! {
    size_1 machine_1 (A);
    size_2 machine_2 (A B);
}

macro_rules! rows {
    ($($name:ident: $arity:tt),* $(,)?) => { vec![$(rows!(@ $name $arity)),*] };
    (@ $name:ident 1) => { row(stringify!($name), size_1(plain::functions::$name), machine_1(machines::functions::$name)) };
    (@ $name:ident 2) => { row(stringify!($name), size_2(plain::functions::$name), machine_2(machines::functions::$name)) };
}

fn row(name: &'static str, plain: usize, (machine, layout): (usize, Layout)) -> Row {
    (name, plain, machine, layout)
}

fn rows() -> Vec<Row> {
    rows![
        get_user: 2, create_user: 2, retry: 2, increment: 1, take_role: 1, parse_header: 1, strip_line: 2, late: 2, write_all: 2, coerced: 1, dispatch: 2, session: 2, redirects: 1, with_field: 1, cached: 2, worker: 2, last_error: 1, look: 1, debugged: 1, default_value: 2, read_lock: 2, tuple: 1, guarded: 2, chunked: 2, merged: 2, option: 1, upgraded: 2, reconnect: 2, choose: 2, batch: 2
    ]
}

/// How many of the machines are explicit. The number may only grow.
const EXPLICIT: usize = 27;

#[test]
fn everyday_machine_is_small() {
    let rows = rows();
    for (name, plain, machine, layout) in &rows {
        let added = if *layout == Layout::Explicit { 0 } else { 24 };
        assert!(*machine <= plain + added, "{name}: {machine} for {plain}");
    }
    let explicit = rows.iter().filter(|row| row.3 == Layout::Explicit);
    assert!(explicit.count() >= EXPLICIT, "{rows:#?}");
    let [plain, machine] = rows.iter().fold([0, 0], |[plain, machine], row| {
        [plain + row.1, machine + row.2]
    });
    assert!(machine * 6 < plain * 5, "{machine} for {plain}");
}

struct Page;

#[volt::state_machine]
impl Page {
    #[cfg_attr(docsrs, doc(cfg(feature = "x")))]
    async fn badge(turns: u8) -> u8 {
        world::yield_now().await;
        turns
    }

    #[cfg_attr(not(test), allow(unused_variables, reason = "a test"))]
    #[cfg_attr(test, doc = "A text.", allow(unused_mut, reason = "a test"))]
    async fn quiet(turns: u8) -> u8 {
        world::yield_now().await;
        turns
    }

    #[cfg_attr(not(docsrs), inline, rustfmt::skip)]
    async fn skipped(turns: u8) -> u8 {
        world::yield_now().await;
        turns
    }
}

#[test]
fn conditional_documentation_keeps_a_machine_explicit() {
    assert_eq!(PageBadge::LAYOUT, Layout::Explicit);
    assert_eq!(PageQuiet::LAYOUT, Layout::Explicit);
    assert_eq!(PageSkipped::LAYOUT, Layout::Explicit);
    assert_eq!(volt::block_on(Page::quiet(1)), 1);
}

struct Chunk {
    data: [u8; 18_432],
    len: usize,
}

async fn look(_data: &[u8]) {
    world::yield_now().await
}

#[volt::state_machine]
async fn plain_part(chunk: Chunk) -> u8 {
    look(&chunk.data[..chunk.len]).await;
    1
}

#[volt::state_machine]
async fn typed_part(chunk: Chunk) -> u8 {
    let len: usize = chunk.len;
    look(&chunk.data[..len]).await;
    1
}

#[test]
fn copied_part_keeps_a_machine_small() {
    assert_eq!(PlainPart::LAYOUT, Layout::Explicit);
    assert_eq!(TypedPart::LAYOUT, Layout::Explicit);
    assert!(size_of::<PlainPart>() <= size_of::<Chunk>() + 64);
    assert!(size_of::<TypedPart>() <= size_of::<Chunk>() + 64);
}

use serde_json::json;

#[volt::state_machine]
async fn answered(name: String) -> serde_json::Value {
    world::yield_now().await;
    let n = dbg!(name.len());
    world::yield_now().await;
    json!({ "name": name, "n": n })
}

use tracing::debug as warn;
use tracing::{debug, info};

#[volt::state_machine]
async fn logged(name: String) -> usize {
    info!("{name} begins");
    world::yield_now().await;
    debug!("{} ends", name);
    name.len()
}

#[volt::state_machine]
async fn logged_by_another_name(name: String) -> usize {
    warn!("{name} begins");
    world::yield_now().await;
    name.len()
}

#[test]
fn imported_event_keeps_a_machine_explicit() {
    assert_eq!(Logged::LAYOUT, Layout::Explicit);
    assert_eq!(volt::block_on(logged("ab".to_owned())), 2);
    let layout = LoggedByAnotherName::LAYOUT;
    assert!(matches!(layout, Layout::Native { .. }));
    assert_eq!(volt::block_on(logged_by_another_name("ab".to_owned())), 2);
}

mod other {
    macro_rules! json {
        ($number:expr) => {
            if $number > 1 {
                return $number;
            }
        };
    }
    pub(crate) use json;
}

#[volt::state_machine]
async fn left_by_other_macro(number: u32) -> u32 {
    world::yield_now().await;
    other::json!(number);
    world::yield_now().await;
    0
}

#[test]
fn other_macro_named_json_is_not_known() {
    assert!(matches!(LeftByOtherMacro::LAYOUT, Layout::Native { .. }));
    assert_eq!(volt::block_on(left_by_other_macro(1)), 0);
    assert_eq!(volt::block_on(left_by_other_macro(2)), 2);
}

#[test]
fn value_macro_keeps_a_machine_explicit() {
    assert_eq!(Answered::LAYOUT, Layout::Explicit);
    let answer = volt::block_on(answered("a".to_owned()));
    assert_eq!(answer.to_string(), r#"{"n":1,"name":"a"}"#);
}
