//! The combinators beside their peers: one table, in Markdown.
//!
//! `cargo bench -p volt-combinators` prints it; `-- --write` puts it into the book; `-- joins`
//! prints the sections whose title contains that word.

mod churn;
mod gates;
mod meter;
mod rows;
mod table;

use self::gates::{Kind, Setting};
use self::meter::measure;
use self::rows::{EIGHT, FOUR, JOINS, LOOP, OURS, RACES, RACES_OF_TWO, Row, SIXTEEN, TWO};
use self::table::{Bar, Section, write};

const BOOK: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../book/src/combinator-costs.md"
);

/// Runs everybody in one setting.
fn section(title: &'static str, kind: Kind, len: usize, rows: &[&[Row]]) -> Section {
    let setting = Setting::new(kind, len);
    let costs = measure(&setting, &rows.concat());
    Section { title, len, costs }
}

/// The peers of a number of children.
fn joins(len: usize) -> Vec<&'static [Row]> {
    match len {
        2 => vec![TWO, JOINS],
        4 => vec![FOUR, JOINS],
        8 => vec![EIGHT, JOINS],
        16 => vec![SIXTEEN, JOINS],
        // One peer is quadratic; it would take the time of all others.
        10_000 => vec![&JOINS[..JOINS.len() - 1]],
        _ => vec![JOINS],
    }
}

fn sections(only: &str) -> Vec<Section> {
    let mut all = Vec::new();
    let mut add = |title: &'static str, kind, len, rows: &[&[Row]]| {
        if title.contains(only) {
            all.push(section(title, kind, len, rows));
        }
    };
    for len in [2, 4, 8, 16, 64, 1024, 10_000] {
        add("joins, one by one", Kind::OneByOne, len, &joins(len));
    }
    for len in [2, 8, 64, 1024, 10_000] {
        let mut rows = joins(len);
        let plain = [LOOP];
        rows.push(&plain);
        add("joins, ready from the start", Kind::Ready, len, &rows);
    }
    add(
        "races, the last one woken wins",
        Kind::Noise,
        2,
        &[RACES_OF_TWO, RACES],
    );
    for len in [64, 1024] {
        add("races, the last one woken wins", Kind::Noise, len, &[RACES]);
    }
    for len in [64, 1024] {
        let kind = Kind::SelfWaking(10);
        add("joins, each wakes itself ten times", kind, len, &[JOINS]);
    }
    add(
        "joins under a budget of 128",
        Kind::Budgeted(128),
        10_000,
        &[&JOINS[..6]],
    );
    if "group churn".contains(only) {
        all.push(Section {
            title: "group churn, a million children, sixty-four at a time, for each",
            len: 64,
            costs: churn::costs(1_000_000),
        });
    }
    all
}

/// What the table has to show, by the title and the length of its sections.
const BARS: &[Bar] = &[
    Bar::new("joins, one by one", 2, "tokio join!", 1.0),
    Bar::new("joins, one by one", 8, "tokio join!", 1.1),
    Bar::new(
        "joins, one by one",
        64,
        "futures-buffered join_all",
        1.0 / 1.5,
    ),
    Bar::new(
        "joins, one by one",
        1024,
        "futures-buffered join_all",
        1.0 / 1.5,
    ),
    Bar::new(
        "joins, one by one",
        10_000,
        "futures-buffered join_all",
        1.0 / 1.5,
    ),
    Bar::new("joins, one by one", 64, "futures join_all", 1.0 / 3.0),
    Bar::new("joins, one by one", 1024, "futures join_all", 1.0 / 3.0),
    Bar::new("joins, one by one", 10_000, "futures join_all", 1.0 / 3.0),
    Bar::new("joins, ready from the start", 2, "plain loop", 1.3),
    Bar::new("joins, ready from the start", 8, "plain loop", 1.3),
    Bar::new("joins, ready from the start", 64, "plain loop", 1.3),
    Bar::new("joins, ready from the start", 1024, "plain loop", 1.3),
    Bar::new("joins, ready from the start", 10_000, "plain loop", 1.3),
    Bar::new(
        "races, the last one woken wins",
        64,
        "futures-buffered Unordered",
        1.0 / 1.3,
    ),
    Bar::new(
        "races, the last one woken wins",
        1024,
        "futures-buffered Unordered",
        1.0 / 1.3,
    ),
];

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let is_word = |argument: &&String| !argument.starts_with("--");
    let only = arguments.iter().find(is_word).map_or("", |word| word);
    let text = write(&sections(only), BARS, OURS);
    print!("{text}");
    if arguments.iter().any(|argument| argument == "--write") {
        std::fs::write(BOOK, text).expect("the book is there");
    }
}
