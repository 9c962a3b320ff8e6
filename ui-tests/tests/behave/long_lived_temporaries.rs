//! Cases of temporaries that live through an await and leave no trace, as most do.

use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;

use super::log::*;

/// A number that is looked at, and counted, by a method of a name that takes elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Plain(u32);

impl Plain {
    fn map(&self) -> u32 {
        note("map");
        self.0
    }

    fn peek(&self) -> Option<u32> {
        note("peek");
        Some(self.0)
    }
}

fn plain(n: u32) -> Plain {
    note("plain");
    Plain(n)
}

fn pair(n: u32) -> (u32, Option<D>) {
    (n, Some(D("pair")))
}

#[derive(Debug, Default)]
pub(crate) struct Settings {
    port: u32,
    name: String,
    list: Vec<String>,
}

fn settings() -> Settings {
    note("settings");
    Settings {
        port: 1,
        name: String::from("name"),
        list: vec![],
    }
}

/// A value that takes itself apart by moves.
#[derive(Debug)]
pub(crate) enum Event {
    Line(D),
    Count(u32),
    End,
}

fn event(n: u32) -> Event {
    match n {
        0 => Event::Line(D("line")),
        1 => Event::Count(1),
        _ => Event::End,
    }
}

/// Gives one item after the other.
#[derive(Debug)]
pub(crate) struct Turns(Vec<D>);

impl Iterator for Turns {
    type Item = D;

    fn next(&mut self) -> Option<D> {
        self.0.pop()
    }
}

impl Drop for Turns {
    fn drop(&mut self) {
        note("~turns");
    }
}

fn turns() -> Turns {
    Turns(vec![D("first"), D("second")])
}

doubted! {
    async fn arguments(text: String, buffer: Vec<u32>, n: usize) -> u32 {
        let one: String = step::<String>("one", 1, text.to_string()).await;
        let two: u32 = step::<u32>("two", 1, total(&buffer[..n])).await;
        let three: usize = step::<usize>("three", 1, format!("{one} {}", plain(3).map()).as_str().len()).await;
        let four: u32 = step::<u32>("four", 1, text.trim().parse::<u32>().unwrap_or_default()).await;
        let five: String = step::<String>("five", 1, buffer.iter().map(|n| n.to_string()).collect::<Vec<_>>().join(",")).await;
        let six: u32 = step::<u32>("six", 1, plain(6).map() + [plain(1).map(), 2][1]).await;
        let seven: u32 = step::<u32>("seven", 1, *buffer.iter().rev().skip(1).max().unwrap_or(&7)).await;
        let eight: bool = step::<bool>("eight", 1, matches!(plain(8).peek(), Some(8)) && plain(1) == plain(1)).await;
        let nine: u32 = step::<u32>("nine", 1, total(&[1, 2, 3]) + (|n: u32| n + 1)(2)).await;
        let ten: Vec<u32> = step::<Vec<u32>>("ten", 1, vec![plain(1).map(); 2]).await;
        note(format!("{one} {three} {five} {eight} {}", ten.len()));
        two + four + six + seven + nine
    }
}

doubted! {
    async fn arguments_of_structs() -> u32 {
        let one: Settings = step::<Settings>("one", 1, Settings { port: 2, ..Default::default() }).await;
        let two: Settings = step::<Settings>("two", 1, Settings { name: String::from("x"), port: 4, ..settings() }).await;
        let three: Option<D> = step::<Option<D>>("three", 1, Some(pair(1)).and_then(|pair| pair.1)).await;
        note(format!("{} {} {} {}", one.port, two.port, two.name, two.list.len()));
        three.map_or(0, |d| d.0.len() as u32)
    }
}

doubted! {
    async fn counted(mut counts: HashMap<String, u32>, mut names: BTreeMap<u32, D>) -> u32 {
        let one: u32 = step::<u32>("one", 1, *counts.entry(String::from("a")).or_insert(3)).await;
        let two: &'static str = step::<&'static str>("two", 1, names.entry(1).or_insert_with(|| D("made")).0).await;
        note(two);
        if let Some(n) = counts.get("a").copied() {
            let n: u32 = n;
            tick("three").await;
            note(format!("{n}"));
        }
        match counts.get("b").cloned().unwrap_or_default() {
            0 => tick("four").await,
            _ => note("none"),
        }
        match std::mem::take(&mut names).into_iter().map(|(_, d)| d).last() {
            Some(d) => {
                let d: D = d;
                tick("five").await;
                look(&d);
            }
            None => note("nothing"),
        }
        one
    }
}

doubted! {
    async fn scrutinees(items: Vec<u32>, text: &'static str, queue: Mutex<Vec<u32>>) -> u32 {
        if let Some(x) = items.iter().map(|n| n + 1).next() {
            let x: u32 = x;
            tick("one").await;
            note(format!("{x}"));
        }
        match text.trim().parse::<u32>() {
            Ok(n) => {
                let n: u32 = n;
                tick("two").await;
                note(format!("{n}"));
            }
            Err(_) => tick("no").await,
        }
        while let Some(n) = { let next = queue.lock().unwrap().pop(); next } {
            let n: u32 = n;
            tick("three").await;
            note(format!("{n}"));
        }
        match text.split(' ').filter(|word| !word.is_empty()).count().max(1).min(items.len()) {
            0 => 0,
            n => {
                let n: usize = n;
                tick("four").await;
                n as u32
            }
        }
    }
}

subject! {
    async fn events(n: u32) -> u32 {
        match event(n) {
            Event::Line(d) => {
                let d: D = d;
                tick("line").await;
                look(&d);
                1
            }
            Event::Count(count) => {
                let count: u32 = count;
                tick("count").await;
                count
            }
            Event::End => {
                tick("end").await;
                3
            }
        }
    }
}

doubted! {
    async fn spilled(list: Vec<u32>) -> u32 {
        let one: usize = list.iter().filter(|n| **n > 1).count() + step::<usize>("one", 1, 2).await;
        let two: u32 = plain(2).map() as u32 + step::<u32>("two", 1, 2).await;
        one as u32 + two
    }
}

doubted! {
    async fn iterators_of_ones_own() -> u32 {
        let one: usize = step::<usize>("one", 1, turns().map(|d| look(&d)).count()).await;
        match turns().take(1).last() {
            Some(d) => {
                let d: D = d;
                tick("two").await;
                look(&d);
            }
            None => note("none"),
        }
        for d in turns().take(2).collect::<Vec<D>>() as Vec<D> {
            let d: D = d;
            tick("three").await;
            look(&d);
        }
        one as u32
    }
}

doubted! {
    async fn heads(n: u32, words: Vec<String>) -> u32 {
        let mut sum: u32 = 0;
        for i in 0..plain(n).map() as u32 {
            tick("one").await;
            sum += i;
        }
        for (i, word) in words.into_iter().enumerate().skip([plain(1).map(), 0][1] as usize) {
            let word: String = word;
            tick("two").await;
            note(format!("{i} {word}"));
        }
        sum
    }
}

pub(crate) struct Builder(D, u32);

pub(crate) fn builder() -> Builder {
    Builder(D("built"), 0)
}

impl Builder {
    fn limit(mut self, limit: u32) -> Self {
        self.1 += limit;
        self
    }

    fn build(self) -> (D, u32) {
        note("build");
        (self.0, self.1)
    }
}

subject! {
    async fn sent(pair: (D, u32)) -> u32 {
        tick("sent").await;
        look(&pair.0);
        pair.1
    }
}

subject! {
    async fn built(count: u32) -> u32 {
        let held: D = D("held");
        let mut sum: u32 = sent(builder().limit(3).build()).await;
        sum += count + sent(builder().build()).await;
        look(&held);
        sum
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(
        list,
        "lasting arguments",
        arguments(String::from(" 4 "), vec![1, 2, 3], 2)
    );
    case!(list, "lasting structs", arguments_of_structs());
    case!(
        list,
        "lasting entries",
        counted(HashMap::new(), BTreeMap::from([(3, D("three"))]))
    );
    case!(
        list,
        "lasting scrutinees",
        scrutinees(vec![1, 2], " 7", Mutex::new(vec![1, 2]))
    );
    case!(list, "events line", events(0));
    case!(list, "events count", events(1));
    case!(list, "events end", events(2));
    case!(list, "lasting spilled", spilled(vec![1, 2, 3]));
    case!(list, "own iterators", iterators_of_ones_own());
    case!(
        list,
        "lasting heads",
        heads(2, vec![String::from("a"), String::from("b")])
    );
    case!(list, "built", built(4));
    list
}
