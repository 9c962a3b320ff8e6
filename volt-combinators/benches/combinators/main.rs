//! The combinators compared with those of other crates: one table, in Markdown.
//!
//! `cargo bench -p volt-combinators` prints it; `-- --write` puts it into `docs/performance`;
//! `-- joins` prints the sections whose title contains that word; `-- --instructions joins`
//! counts the instructions of a run instead, which valgrind does.

mod churn;
mod gates;
mod instructions;
mod meter;
mod rows;
mod table;

use self::gates::{Kind, Setting};
use self::meter::measure;
use self::rows::{
    EIGHT, FOUR, JOINS, LOOP, RACES, RACES_OF_EIGHT, RACES_OF_TWO, Row, SIXTEEN, TWO,
};
use self::table::{Bar, Section, write};

const PAGE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../docs/performance/combinators.md"
);

const JOINS_ONE_BY_ONE: &str = "joins, one by one";
const JOINS_READY: &str = "joins, ready from the start";
const JOINS_ON_A_BUDGET: &str = "joins under a budget of 128";
const RACES_WON_LAST: &str = "races, the last one woken wins";

const JOINS_OF_A_BURST: &str = "joins, all woken at once";
const RACES_WON_FIRST: &str = "races, the first one woken wins";

/// The rows of a section, and their setting.
struct Plan {
    title: &'static str,
    kind: Kind,
    len: usize,
    rows: Vec<Row>,
}

impl Plan {
    fn new(title: &'static str, kind: Kind, len: usize, rows: &[&[Row]]) -> Self {
        let rows = rows.concat();
        Self {
            title,
            kind,
            len,
            rows,
        }
    }

    /// Some of the other crates require `'static` children.
    fn setting(&self) -> &'static Setting {
        Box::leak(Box::new(Setting::new(self.kind, self.len)))
    }

    /// Measures all rows.
    fn section(&self) -> Section {
        Section {
            title: self.title,
            len: self.len,
            costs: measure(self.setting(), &self.rows),
        }
    }
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

/// The races of a number of children.
fn races(len: usize) -> Vec<&'static [Row]> {
    match len {
        2 => vec![RACES_OF_TWO, RACES],
        8 => vec![RACES_OF_EIGHT, RACES],
        _ => vec![RACES],
    }
}

/// All sections but those of churn.
fn plans() -> Vec<Plan> {
    let mut all = Vec::new();
    for len in [2, 4, 8, 16, 64, 1024, 10_000] {
        all.push(Plan::new(
            JOINS_ONE_BY_ONE,
            Kind::OneByOne,
            len,
            &joins(len),
        ));
    }
    for len in [8, 64, 1024] {
        all.push(Plan::new(JOINS_OF_A_BURST, Kind::Burst, len, &joins(len)));
    }
    for len in [2, 4, 8, 16, 64, 1024, 10_000] {
        let mut rows = joins(len);
        let plain = [LOOP];
        rows.push(&plain);
        all.push(Plan::new(JOINS_READY, Kind::Ready, len, &rows));
    }
    for len in [2, 8, 64, 1024] {
        all.push(Plan::new(RACES_WON_FIRST, Kind::OneByOne, len, &races(len)));
    }
    for len in [2, 8, 64, 1024] {
        all.push(Plan::new(RACES_WON_LAST, Kind::Noise, len, &races(len)));
    }
    for len in [64, 1024] {
        let title = "joins, each wakes itself ten times";
        all.push(Plan::new(title, Kind::SelfWaking(10), len, &[JOINS]));
    }
    let kind = Kind::Budgeted(128);
    all.push(Plan::new(JOINS_ON_A_BUDGET, kind, 10_000, &[&JOINS[..6]]));
    all
}

fn sections(only: &str) -> Vec<Section> {
    let plans = plans();
    let wanted = plans.iter().filter(|plan| plan.title.contains(only));
    let mut all: Vec<_> = wanted.map(Plan::section).collect();
    if churn::TITLE.contains(only) {
        all.extend(churn::WIDTHS.map(|width| Section {
            title: churn::TITLE,
            len: width,
            costs: churn::costs(width, 1_000_000),
        }));
    }
    all
}

/// The figures that the table must show.
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
    if instructions::run_selected(&arguments, &plans()) {
        return;
    }
    let is_word = |argument: &&String| !argument.starts_with("--");
    let only = arguments.iter().find(is_word).map_or("", |word| word);
    let has = |option: &str| arguments.iter().any(|argument| argument == option);
    if has("--instructions") {
        instructions::print(only, &plans());
        return;
    }
    let text = write(&sections(only), BARS);
    print!("{text}");
    if has("--write") {
        std::fs::write(PAGE, text).expect("the page is writable");
    }
}
