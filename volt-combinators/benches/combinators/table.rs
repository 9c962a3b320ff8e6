//! Costs as a page of Markdown, with the bars that they should keep to.

use std::fmt::Write as _;

use super::meter::Cost;

/// Everybody in one setting.
pub(crate) struct Section {
    pub(crate) title: &'static str,
    pub(crate) len: usize,
    pub(crate) costs: Vec<(&'static str, Cost)>,
}

/// How much of a peer's time ours may take at most.
pub(crate) struct Bar {
    title: &'static str,
    len: usize,
    peer: &'static str,
    most: f64,
}

impl Bar {
    pub(crate) const fn new(
        title: &'static str,
        len: usize,
        peer: &'static str,
        most: f64,
    ) -> Self {
        Self {
            title,
            len,
            peer,
            most,
        }
    }
}

const HEAD: &str = "\
# What the combinators cost

One run of `cargo bench -p volt-combinators -- --write`, on a shared machine with two cores: the
ratios say more than the times. Each time is the first quartile of 41, taken in turns with the peers,
from making the combinator of its children to its output. The parent's waker is counted, as that of a
task is; to poll a child is a call for everybody. The plain loop polls each once, and gives the same
outputs to the same parent. *Polls* are those of a child; *allocations* and *peak bytes* those of one run, the children's
own vector included; *size* is that of the future.
";

/// The whole page.
pub(crate) fn write(sections: &[Section], bars: &[Bar], ours: &str) -> String {
    let mut text = String::from(HEAD);
    let mut title = "";
    for section in sections {
        if section.title != title {
            title = section.title;
            _ = writeln!(text, "\n## {}{}\n", title[..1].to_uppercase(), &title[1..]);
            text.push_str("| n | who | ns | polls | allocations | peak bytes | size |\n");
            text.push_str("| ---: | --- | ---: | ---: | ---: | ---: | ---: |\n");
        }
        for (name, cost) in section.costs.iter().filter(|(_, cost)| cost.polls > 0.0) {
            _ = writeln!(
                text,
                "| {} | {name} | {} | {:.2} | {} | {} | {} |",
                section.len,
                nanos(cost.nanos),
                cost.polls,
                cost.allocations,
                cost.peak,
                cost.size
            );
        }
    }
    text.push_str("\n## The bars\n\n");
    text.push_str("| setting | n | peer | ours takes | at most | |\n");
    text.push_str("| --- | ---: | --- | ---: | ---: | --- |\n");
    for bar in bars {
        if let Some(ratio) = ratio(sections, bar, ours) {
            let verdict = if ratio <= bar.most {
                "met"
            } else {
                "**not met**"
            };
            _ = writeln!(
                text,
                "| {} | {} | {} | {ratio:.2} | {:.2} | {verdict} |",
                bar.title, bar.len, bar.peer, bar.most
            );
        }
    }
    text.push_str(WHY);
    text
}

/// What is said of the bars that are hard.
const WHY: &str = "
Joins of eight that become ready one by one take four atomic operations a child: the wake, the
parent's own, the end of the call of the parent's waker, and the owner's look. `join!` takes three, and
polls 5.5 times instead of twice; here a poll is a few instructions, so that this costs it little. Code
written by hand for these eight children, that does the four operations and nothing else, with wakers in a
static that must not be kept, takes 1.06 of the time of `join!`. What is between is the set of wakers: one
allocation, its publication, as a child may ask for a waker on another thread, a clone of the parent's
waker, and the count of the children's.
";

fn nanos(nanos: f64) -> String {
    if nanos < 100.0 {
        format!("{nanos:.1}")
    } else {
        format!("{nanos:.0}")
    }
}

/// The time of our first row against the peer's.
fn ratio(sections: &[Section], bar: &Bar, ours: &str) -> Option<f64> {
    let fits = |section: &&Section| section.title == bar.title && section.len == bar.len;
    let costs = &sections.iter().find(fits)?.costs;
    let of = |wanted: &dyn Fn(&str) -> bool| {
        let found = costs.iter().find(|(name, _)| wanted(name));
        found.map(|(_, cost)| cost.nanos)
    };
    let is_general = |name: &str| name == "volt Vec";
    let fixed = of(&|name| name.starts_with(ours))?;
    let general = of(&is_general).unwrap_or(fixed);
    let mine = if bar.peer == "tokio join!" {
        fixed
    } else {
        general
    };
    Some(mine / of(&|name| name == bar.peer)?)
}
