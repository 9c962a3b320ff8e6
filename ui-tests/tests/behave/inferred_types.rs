//! Cases of locals whose types follow only from the names of functions.

use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::log::*;

#[derive(Clone, Debug)]
pub(crate) struct Counter {
    count: u32,
    name: Rc<D>,
}

#[derive(Debug)]
pub(crate) enum Shape {
    Dot,
    Line(u32),
    Named { name: D },
}

pub(crate) struct Marker;

impl Counter {
    fn new(name: &'static str, count: u32) -> Self {
        Self {
            count,
            name: Rc::new(D(name)),
        }
    }
}

impl Default for Counter {
    fn default() -> Self {
        Self::new("default", 0)
    }
}

subject! {
    async fn halve(n: u32) -> Result<u32, u32> {
        tick("halve").await;
        if n % 2 == 0 { Ok(n / 2) } else { Err(n) }
    }
}

subject! {
    async fn made(count: u32) -> u32 {
        let mut first = Counter::new("first", count);
        let second = Counter::default();
        let copy = first.clone();
        let name: Rc<D> = copy.name.clone();
        let shared = Rc::clone(&name);
        tick("made").await;
        first.count += 1;
        look(&first.name);
        look(&second.name);
        tick("still").await;
        look(&shared);
        first.count + copy.count
    }
}

subject! {
    async fn chosen(kind: u8) -> String {
        let shape = match kind {
            0 => Shape::Dot,
            1 => Shape::Line(7),
            _ => Shape::Named { name: D("shape") },
        };
        let other = if kind == 0 { Shape::Line(1) } else { Shape::Dot };
        let marker = Marker;
        let most = u32::MAX;
        tick("chosen").await;
        drop(marker);
        let line = |shape: &Shape| matches!(shape, Shape::Line(1 | 7));
        if let Shape::Named { name } = &shape {
            look(name);
        }
        format!("{shape:?} {} {most}", line(&shape) || line(&other))
    }
}

subject! {
    async fn held(texts: Vec<&'static str>) -> u32 {
        let some = Some(3u32);
        let around = std::num::Wrapping(250u8);
        let cell = Rc::new(std::cell::Cell::new(4u8));
        let again = Rc::clone(&cell);
        let number = texts[0].parse::<u32>();
        let lengths = texts.iter().map(|text| text.len()).collect::<VecDeque<usize>>();
        let sum = lengths.iter().sum::<usize>();
        let found = texts.contains(&"7");
        let upper = texts[0].to_uppercase();
        let first: &'static str = texts[0];
        let name = first.to_owned();
        tick("held").await;
        again.set(5);
        note(around.0.wrapping_add(9).to_string());
        let more = Some(some.unwrap_or(1));
        tick("more").await;
        let number = number.unwrap();
        note(format!("{upper} {name} {found} {lengths:?}"));
        some.unwrap() + more.unwrap() + number + u32::from(cell.get()) + sum as u32
    }
}

#[derive(Debug)]
struct Refusal(D);

subject! {
    impl Counter {
        async fn below(&mut self, limit: u32) -> Result<u32, Refusal> {
            tick("below").await;
            self.count += 1;
            if self.count < limit { Ok(self.count) } else { Err(Refusal(D("refusal"))) }
        }

        async fn thrice(mut self, limit: u32) -> Result<u32, String> {
            let first = self.below(limit).await;
            tick("first").await;
            let second = self.below(limit).await.map_err(|refusal| format!("{:?}", refusal.0))?;
            let third = Counter::below(&mut self, limit).await.unwrap_or(7);
            tick("third").await;
            Ok(first.map_or(0, |count| count) + second + third)
        }
    }
}

subject! {
    async fn says(text: &str, limit: usize) -> usize {
        tick("says").await;
        text.len().min(limit)
    }
}

subject! {
    async fn lent_texts(mut count: u32, names: Vec<D>) -> usize {
        let mut sum = says(&format!("{count}!"), 9).await;
        sum += says(count.to_string().as_str(), one(&mut count)).await;
        for name in names {
            sum += says(&name.0.to_string(), one(&mut count)).await + says(&(name.0.to_string()), 1).await;
            tick("between").await;
        }
        sum + count as usize
    }
}

fn one(count: &mut u32) -> usize {
    note("one");
    *count += 1;
    *count as usize
}

subject! {
    async fn named(shape: Shape, early: bool) -> Option<(D, Result<u32, D>)> {
        tick("named").await;
        match shape {
            Shape::Dot => None,
            Shape::Line(count) => Some((D("line"), Ok(count))),
            Shape::Named { name } if early => Some((name, Err(D("early")))),
            Shape::Named { name } => Some((name, Ok(1))),
        }
    }
}

subject! {
    impl Counter {
        async fn left(&self) -> Option<u32> {
            tick("left").await;
            self.count.checked_sub(1)
        }
    }
}

subject! {
    async fn matched(first: Shape, second: Shape, third: Option<D>) -> u32 {
        let mut sum: u32 = 0;
        if let Some((name, count)) = named(first, true).await {
            tick("first").await;
            look(&name);
            sum += count.unwrap_or_default();
        }
        match named(second, false).await {
            Some((name, Ok(count))) => {
                tick("count").await;
                sum += count;
                drop(name);
            }
            Some((_name, Err(refusal))) => {
                tick("refusal").await;
                look(&refusal);
            }
            None => tick("none").await,
        }
        let Ok(half) = halve(sum * 2).await else {
            return 0;
        };
        let counter = Counter::new("counter", half);
        while let Some(left) = counter.left().await {
            tick("counted").await;
            sum += left;
            break;
        }
        if let Some(name) = third {
            tick("third").await;
            look(&name);
        }
        tick("end").await;
        sum + half
    }
}

subject! {
    async fn taken_out(n: u32) -> u32 {
        let half = halve(n).await.unwrap_or(1);
        let quarter = halve(half).await.unwrap();
        tick("quarter").await;
        half + quarter
    }
}

subject! {
    async fn in_time() -> bool {
        let begun = Instant::now();
        let end = begun + Duration::from_secs(3600);
        let pause = Duration::from_millis(2) + Duration::ZERO;
        tick("wait").await;
        let gone = begun.elapsed();
        tick("on").await;
        gone < pause + Duration::from_secs(3000) && Instant::now() < end
    }
}

subject! {
    async fn only_dropped(text: &'static str) -> usize {
        let length: usize = {
            let upper = text.to_uppercase();
            let shared = Rc::new(D("shared"));
            tick("dropped").await;
            text.len()
        };
        tick("end").await;
        length
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list = Vec::new();
    case!(list, "made", made(3));
    case!(list, "chosen 0", chosen(0));
    case!(list, "chosen 1", chosen(1));
    case!(list, "chosen 2", chosen(2));
    case!(list, "held", held(vec!["7", "eleven"]));
    case!(list, "taken_out", taken_out(12));
    case!(list, "taken_out odd", taken_out(7));
    case!(list, "matched dot", matched(Shape::Dot, Shape::Line(3), Some(D("third"))));
    case!(list, "matched line", matched(Shape::Line(2), Shape::Dot, None));
    case!(list, "matched named", matched(Shape::Named { name: D("a") }, Shape::Named { name: D("b") }, Some(D("c"))));
    case!(list, "thrice 9", Counter::new("nine", 0).thrice(9));
    case!(list, "thrice 3", Counter::new("three", 0).thrice(3));
    case!(list, "thrice 2", Counter::new("two", 0).thrice(2));
    case!(list, "lent_texts", lent_texts(12, vec![D("long name"), D("n")]));
    case!(list, "in_time", in_time());
    case!(list, "only_dropped", only_dropped("text"));
    list
}
