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
use self::rows::{
    EIGHT, FOUR, JOINS, LOOP, RACES, RACES_OF_EIGHT, RACES_OF_TWO, Row, SIXTEEN, TWO,
};
use self::table::{Bar, Section, write};

const BOOK: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../book/src/combinator-costs.md"
);

const JOINS_ONE_BY_ONE: &str = "joins, one by one";
const JOINS_READY: &str = "joins, ready from the start";
const JOINS_ON_A_BUDGET: &str = "joins under a budget of 128";
const RACES_WON_LAST: &str = "races, the last one woken wins";

/// Runs everybody in one setting.
fn section(title: &'static str, kind: Kind, len: usize, rows: &[&[Row]]) -> Section {
    // Some of the peers want children that borrow nothing that ends.
    let setting = Box::leak(Box::new(Setting::new(kind, len)));
    let costs = measure(setting, &rows.concat());
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
        add(JOINS_ONE_BY_ONE, Kind::OneByOne, len, &joins(len));
    }
    for len in [2, 4, 8, 16, 64, 1024, 10_000] {
        let mut rows = joins(len);
        let plain = [LOOP];
        rows.push(&plain);
        add(JOINS_READY, Kind::Ready, len, &rows);
    }
    add(RACES_WON_LAST, Kind::Noise, 2, &[RACES_OF_TWO, RACES]);
    add(RACES_WON_LAST, Kind::Noise, 8, &[RACES_OF_EIGHT, RACES]);
    for len in [64, 1024] {
        add(RACES_WON_LAST, Kind::Noise, len, &[RACES]);
    }
    for len in [64, 1024] {
        let kind = Kind::SelfWaking(10);
        add("joins, each wakes itself ten times", kind, len, &[JOINS]);
    }
    add(
        JOINS_ON_A_BUDGET,
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

/// What the table has to show.
const BARS: &[Bar] = &[
    Bar::time(JOINS_ONE_BY_ONE, 2, "volt tuple", "tokio join!", 1.0),
    Bar::time(JOINS_ONE_BY_ONE, 8, "volt array", "tokio join!", 1.1),
    Bar::time(JOINS_ONE_BY_ONE, 8, "volt tuple", "tokio join!", 1.1),
    Bar::time(
        JOINS_ONE_BY_ONE,
        64,
        "volt Vec",
        "futures-buffered join_all",
        1.0 / 1.5,
    ),
    Bar::time(
        JOINS_ONE_BY_ONE,
        1024,
        "volt Vec",
        "futures-buffered join_all",
        1.0 / 1.5,
    ),
    Bar::time(
        JOINS_ONE_BY_ONE,
        10_000,
        "volt Vec",
        "futures-buffered join_all",
        1.0 / 1.5,
    ),
    Bar::time(
        JOINS_ONE_BY_ONE,
        64,
        "volt Vec",
        "futures join_all",
        1.0 / 3.0,
    ),
    Bar::time(
        JOINS_ONE_BY_ONE,
        1024,
        "volt Vec",
        "futures join_all",
        1.0 / 3.0,
    ),
    Bar::time(
        JOINS_ONE_BY_ONE,
        10_000,
        "volt Vec",
        "futures join_all",
        1.0 / 3.0,
    ),
    Bar::polls(JOINS_ONE_BY_ONE, 8, "volt array", 2.0),
    Bar::polls(JOINS_ONE_BY_ONE, 8, "volt tuple", 2.0),
    Bar::polls(JOINS_ONE_BY_ONE, 64, "volt Vec", 2.0),
    Bar::polls(JOINS_ONE_BY_ONE, 1024, "volt Vec", 2.0),
    Bar::polls(JOINS_ONE_BY_ONE, 10_000, "volt Vec", 2.0),
    Bar::time(JOINS_READY, 2, "volt array", "plain loop, array", 1.3),
    Bar::time(JOINS_READY, 2, "volt tuple", "plain loop, array", 1.3),
    Bar::time(JOINS_READY, 4, "volt array", "plain loop, array", 1.3),
    Bar::time(JOINS_READY, 4, "volt tuple", "plain loop, array", 1.3),
    Bar::time(JOINS_READY, 8, "volt array", "plain loop, array", 1.3),
    Bar::time(JOINS_READY, 8, "volt tuple", "plain loop, array", 1.3),
    Bar::time(JOINS_READY, 16, "volt array", "plain loop, array", 1.3),
    Bar::time(JOINS_READY, 16, "volt tuple", "plain loop, array", 1.3),
    Bar::time(JOINS_READY, 2, "volt Vec", "plain loop", 1.3),
    Bar::time(JOINS_READY, 4, "volt Vec", "plain loop", 1.3),
    Bar::time(JOINS_READY, 8, "volt Vec", "plain loop", 1.3),
    Bar::time(JOINS_READY, 16, "volt Vec", "plain loop", 1.3),
    Bar::time(JOINS_READY, 64, "volt Vec", "plain loop", 1.3),
    Bar::time(JOINS_READY, 1024, "volt Vec", "plain loop", 1.3),
    Bar::time(JOINS_READY, 10_000, "volt Vec", "plain loop", 1.3),
    Bar::time(
        RACES_WON_LAST,
        64,
        "volt Vec",
        "futures-buffered Unordered",
        1.0 / 1.3,
    ),
    Bar::time(
        RACES_WON_LAST,
        1024,
        "volt Vec",
        "futures-buffered Unordered",
        1.0 / 1.3,
    ),
    Bar::polls(JOINS_ON_A_BUDGET, 10_000, "volt Vec", 1.6),
    Bar::size(JOINS_READY, 8, "volt array", 216),
    Bar::size(JOINS_READY, 8, "volt tuple", 216),
];

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let is_word = |argument: &&String| !argument.starts_with("--");
    let only = arguments.iter().find(is_word).map_or("", |word| word);
    let text = write(&sections(only), BARS);
    print!("{text}");
    if arguments.iter().any(|argument| argument == "--write") {
        std::fs::write(BOOK, text).expect("the book is there");
    }
}
