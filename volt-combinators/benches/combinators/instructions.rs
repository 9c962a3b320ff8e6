//! The instructions of a run, counted by valgrind.
//!
//! Each row runs in a process of its own, with some runs and with more. The difference is the cost
//! of the additional runs. It includes the work of the children and of the parent, as the times do.

use std::path::Path;
use std::process::{Command, Stdio};

use super::Plan;
use super::churn;

/// The first argument of a process that is to be counted.
const RUN: &str = "--run";

/// Children in all runs that are counted.
const CHILDREN: usize = 20_000;

/// Runs the row that the arguments select, if they do. Returns `true` if a row was run.
pub(crate) fn run_selected(arguments: &[String], plans: &[Plan]) -> bool {
    let [first, title, len, who, runs] = arguments else {
        return false;
    };
    if first != RUN {
        return false;
    }
    let number = |text: &String| text.parse::<usize>().expect("a number");
    let (len, runs) = (number(len), number(runs));
    if title == churn::TITLE {
        churn::run(who, len, runs * len);
        return true;
    }
    let is_it = |plan: &&Plan| plan.title == title && plan.len == len;
    let plan = plans.iter().find(is_it).expect("a section");
    let mut rows = plan.rows.iter();
    let (_, run) = rows.find(|(name, _)| name == who).expect("one of the rows");
    let setting = plan.setting();
    for _ in 0..runs {
        setting.reset();
        run(setting);
    }
    true
}

/// Prints the instructions of a run, of all rows in the sections whose title contains `only`.
pub(crate) fn print(only: &str, plans: &[Plan]) {
    let wanted = plans.iter().filter(|plan| plan.title.contains(only));
    for Plan {
        title, len, rows, ..
    } in wanted
    {
        rows.iter().for_each(|(who, _)| line(title, *len, who));
    }
    if churn::TITLE.contains(only) {
        for width in churn::WIDTHS {
            churn::names().for_each(|who| line(churn::TITLE, width, who));
        }
    }
}

fn line(title: &str, len: usize, who: &str) {
    let runs = (CHILDREN / len).max(2);
    let counted = |runs| collected(title, len, who, runs);
    match (counted(runs), counted(2 * runs)) {
        (Some(some), Some(more)) => {
            let each = (more - some) as f64 / (runs * len) as f64;
            println!("{title} | {len} | {who} | {each:.1} a child");
        }
        _ => println!("{title} | {len} | {who} | not counted"),
    }
}

fn collected(title: &str, len: usize, who: &str, runs: usize) -> Option<u64> {
    let output = Path::new(env!("CARGO_TARGET_TMPDIR")).join("combinators.callgrind");
    let valgrind = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", output.display()))
        .arg(std::env::current_exe().ok()?)
        .args([RUN, title, &len.to_string(), who, &runs.to_string()])
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&valgrind.stderr);
    let collected = said.lines().find_map(|line| line.split_once("Collected :"));
    collected?.1.trim().parse().ok()
}
