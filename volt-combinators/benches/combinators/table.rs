//! Costs as a page of Markdown, with the bars that they should keep to.

use std::fmt::Write as _;

use super::meter::Cost;

/// The costs of all rows in one setting.
pub(crate) struct Section {
    pub(crate) title: &'static str,
    pub(crate) len: usize,
    pub(crate) costs: Vec<(&'static str, Cost)>,
}

/// Something that the table has to show of one of our rows.
pub(crate) struct Bar {
    title: &'static str,
    len: usize,
    ours: &'static str,
    of: Of,
    most: f64,
}

/// The reference value of a bar.
enum Of {
    /// The time of a peer.
    Peer(&'static str),
    /// Polls of a child.
    Polls,
    /// Bytes of the future.
    Size,
}

impl Bar {
    /// At most so much of a peer's time.
    pub(crate) const fn time(
        title: &'static str,
        len: usize,
        ours: &'static str,
        peer: &'static str,
        most: f64,
    ) -> Self {
        Self::new(title, len, ours, Of::Peer(peer), most)
    }

    /// At most so many polls of a child.
    pub(crate) const fn polls(
        title: &'static str,
        len: usize,
        ours: &'static str,
        most: f64,
    ) -> Self {
        Self::new(title, len, ours, Of::Polls, most)
    }

    /// At most so many bytes.
    pub(crate) const fn size(
        title: &'static str,
        len: usize,
        ours: &'static str,
        most: usize,
    ) -> Self {
        Self::new(title, len, ours, Of::Size, most as f64)
    }

    const fn new(title: &'static str, len: usize, ours: &'static str, of: Of, most: f64) -> Self {
        Self {
            title,
            len,
            ours,
            of,
            most,
        }
    }

    /// Returns the name of the measured value.
    fn name(&self) -> String {
        match self.of {
            Of::Peer(peer) => format!("time of {peer}"),
            Of::Polls => String::from("polls of a child"),
            Of::Size => String::from("bytes of the future"),
        }
    }

    /// The figure, if both rows have been run.
    fn figure(&self, sections: &[Section]) -> Option<f64> {
        let fits = |section: &&Section| section.title == self.title && section.len == self.len;
        let costs = &sections.iter().find(fits)?.costs;
        let of = |wanted: &str| {
            let found = costs.iter().find(|(name, _)| *name == wanted);
            found.map(|(_, cost)| cost)
        };
        let ours = of(self.ours)?;
        Some(match self.of {
            Of::Peer(peer) => ours.nanos / of(peer)?.nanos,
            Of::Polls => ours.polls,
            Of::Size => ours.size as f64,
        })
    }
}

const HEAD: &str = "\
# Combinators and their peers

One run of `cargo bench -p volt-combinators -- --write`, on a shared machine with two cores.
The ratios are more reliable than the times.
Each time is the median of 41 samples and half their interquartile range, in turns with the peers, from the creation of the combinator to its output.
The parent's waker is counted, as that of a task is.
All contestants poll a child by a call that is not inlined.
The plain loop polls each child once, and passes the same outputs to the same parent.
*Polls* are those of a child; *allocations* and *peak bytes* those of one run, with the vector of the children; *size* is that of the future.

`JoinSet` creates a task for each child, which cannot borrow.
In the joins it runs on a `LocalSet`, which the parent polls.
Under group churn it runs on tokio's runtime of one thread, and volt's `Group` next to it.
On volt, `cargo bench -p volt-async --bench groups` compares the two.
The `Vec` of futures-concurrency has no row for 10,000: it polls all its children in each pass, so its time grows with the square of their number.
";

/// The whole page.
pub(crate) fn write(sections: &[Section], bars: &[Bar]) -> String {
    let mut text = String::from(HEAD);
    let mut title = "";
    for section in sections {
        if section.title != title {
            title = section.title;
            _ = writeln!(text, "\n## {}{}\n", title[..1].to_uppercase(), &title[1..]);
            text.push_str("| n | contestant | time | polls | allocations | peak bytes | size |\n");
            text.push_str("| ---: | --- | ---: | ---: | ---: | ---: | ---: |\n");
        }
        for (name, cost) in section.costs.iter().filter(|(_, cost)| cost.polls > 0.0) {
            _ = writeln!(
                text,
                "| {} | {name} | {} | {:.2} | {} | {} | {} |",
                section.len,
                time(cost),
                cost.polls,
                cost.allocations,
                cost.peak,
                cost.size
            );
        }
    }
    text.push_str("\n## Limits\n\n");
    text.push_str("| setting | n | contestant | figure | is | at most | |\n");
    text.push_str("| --- | ---: | --- | --- | ---: | ---: | --- |\n");
    for bar in bars {
        if let Some(figure) = bar.figure(sections) {
            let verdict = if figure <= bar.most {
                "met"
            } else {
                "**not met**"
            };
            _ = writeln!(
                text,
                "| {} | {} | {} | {} | {figure:.2} | {:.2} | {verdict} |",
                bar.title,
                bar.len,
                bar.ours,
                bar.name(),
                bar.most
            );
        }
    }
    text.push_str(WHY);
    text
}

/// The explanation of the difficult bars.
const WHY: &str = "
Joins of eight that become ready one by one take four atomic operations for each child.
These are the wake, the parent's own wake, the end of the call of the parent's waker, and the owner's look.
`join!` takes three, and polls 5.5 times instead of twice.
A poll is a few instructions here, so this costs it little.
Hand-written code for these eight children, with only the four operations and wakers in a static, takes 1.06 of the time of `join!`.
The rest is the wake set: one allocation, its publication, a clone of the parent's waker, and the count of the children's wakers.

The plain loops assume that all children are ready.
The loop over an array moves no future, counts nothing and creates no waker, which saves two nanoseconds for each child.
The fields of a tuple have different types, so choosing the next one takes a jump.
With children that do any work, neither is visible.

In three settings volt is slower by design, with eight children and not with sixty-four:

- A race of eight that the first child wins: the best peer takes about 0.55 of the time.
  It polls all children with the waker of the task, and volt creates wakers for children that are never polled again.
- A race of eight in which each child is woken once without effect: the best peer takes 0.95 of the time, and polls each child 8.8 times instead of twice.
- A join of eight that are woken at once: `join!` takes 0.75 of the time of the array, and `futures::join_all` 0.73 of that of the `Vec`.

The wakers exist so that a child that was not woken is not polled.
A poll is a few instructions here; elsewhere it is not.

A join one by one polls each child twice: at the start, and when it was woken.
The children here take 24 bytes, which include a niche.
A test checks that eight of 16 bytes without one take 216 in a join as well.
";

/// The cell of a time: the median and its spread.
fn time(cost: &Cost) -> String {
    let nanos = cost.nanos;
    let digits = usize::from(nanos < 100.0);
    let spread = cost
        .spread
        .map(|spread| format!(" ±{:.0} %", 100.0 * spread));
    format!("{nanos:.digits$} ns{}", spread.unwrap_or_default())
}
