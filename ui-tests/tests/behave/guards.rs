//! Cases of guards in a `match` that waits, and of values of which a pattern leaves a part;
//! `subject!` decides what they
//! become.

use super::log::*;

subject! {
    async fn guard_on_a_value(n: u32) -> u32 {
        match next(n).await {
            Some(n) if n > 10 => {
                tick("large").await;
                n
            }
            Some(n) => n + 1,
            None => {
                tick("none").await;
                0
            }
        }
    }
}

subject! {
    async fn guard_on_a_local(message: Message, limit: usize) -> usize {
        let held = D("held");
        let n = match message {
            Message::Ping => {
                tick("ping").await;
                1
            }
            Message::Text(text) if text.0.len() > limit => {
                tick("long").await;
                text.0.len()
            }
            Message::Text(text) => {
                consume(text);
                tick("short").await;
                2
            }
            Message::Both(first, second) => {
                tick("both").await;
                look(&second);
                first.0.len()
            }
        };
        tick("last").await;
        look(&held);
        n
    }
}

subject! {
    async fn guard_with_a_call(d: D, n: u32) -> u32 {
        match (n, d) {
            (1, d) if noted(&d) => {
                tick("one").await;
                1
            }
            (n, d) if n > 2 && noted(&d) => {
                tick("more").await;
                look(&d);
                n
            }
            (n, _d) => n,
        }
    }
}

subject! {
    async fn guard_that_leaves(n: u32) -> Option<u32> {
        loop {
            match next(n).await {
                Some(n) if checked(n)? => {
                    tick("good").await;
                    return Some(n);
                }
                Some(_) if n == 1 => break,
                _ => tick("again").await,
            }
        }
        None
    }
}

subject! {
    async fn error_is_dropped_last(n: u32) -> u32 {
        match outcome(n).await {
            Ok(n) => n,
            Err(_) => {
                let own = D("own");
                tick("error").await;
                look(&own);
                0
            }
        }
    }
}

subject! {
    async fn rest_of_a_tuple(n: u32) -> u32 {
        match pair(n).await {
            (_, Some(n)) => {
                tick("some").await;
                n
            }
            (d, None) => {
                tick("none").await;
                d.0.len() as u32
            }
        }
    }
}

subject! {
    async fn last_part_is_left(n: u32) -> u32 {
        match numbers(n).await {
            (n, _) => {
                tick("one").await;
                n
            }
        }
    }
}

subject! {
    async fn else_of_a_number(n: u32) -> u32 {
        if let Some(n) = next(n).await {
            tick("some").await;
            n
        } else {
            tick("none").await;
            0
        }
    }
}

subject! {
    async fn else_of_an_error(n: u32) -> u32 {
        if let Ok(n) = outcome(n).await {
            tick("ok").await;
            n
        } else {
            let own = D("own");
            tick("error").await;
            look(&own);
            0
        }
    }
}

subject! {
    async fn taken_chain(count: usize) -> usize {
        let mut sum = 0;
        for (index, d) in things(count).into_iter().enumerate().skip(1) {
            tick("turn").await;
            sum += index + d.0.len();
        }
        tick("last").await;
        sum
    }
}

subject! {
    async fn borrowed_chain(count: usize) -> usize {
        let mut sum = 0;
        for d in held(count).all().iter().rev() {
            tick("turn").await;
            sum += d.0.len();
        }
        tick("last").await;
        sum
    }
}

subject! {
    async fn tail_chain(count: usize) {
        let local = D("local");
        for d in held(count).all().iter().take(2) {
            tick("turn").await;
            look(d);
        }
    }
}

subject! {
    async fn local_chain(list: Vec<D>) -> usize {
        for (index, d) in list.iter().enumerate().filter(|(index, _)| index % 2 == 0) {
            tick("turn").await;
            look(d);
        }
        for d in list.into_iter().rev() {
            tick("again").await;
            if d.0.len() > 1 {
                return 1;
            }
        }
        0
    }
}

subject! {
    async fn part_in_arms(mut nest: Nest) -> usize {
        loop {
            match nest.inner {
                Some(inner) => {
                    tick("down").await;
                    nest = *inner;
                }
                None => return nest.d.0.len(),
            }
        }
    }
}

pub(crate) struct Nest {
    inner: Option<Box<Nest>>,
    d: D,
}

fn nest() -> Nest {
    let inner = Nest { inner: None, d: D("inner") };
    Nest { inner: Some(Box::new(inner)), d: D("outer") }
}

fn things(count: usize) -> Vec<D> {
    ["a", "bc", "def"].into_iter().take(count).map(D).collect()
}

pub(crate) struct Holding(Vec<D>);

impl Holding {
    fn all(&self) -> &Vec<D> {
        &self.0
    }
}

impl Drop for Holding {
    fn drop(&mut self) {
        note("~holding");
    }
}

fn held(count: usize) -> Holding {
    Holding(things(count))
}

pub(crate) enum Message {
    Ping,
    Text(D),
    Both(D, D),
}

async fn next(n: u32) -> Option<u32> {
    tick("next").await;
    n.checked_sub(1)
}

async fn outcome(n: u32) -> Result<u32, D> {
    tick("outcome").await;
    n.checked_sub(1).ok_or(D("failure"))
}

async fn pair(n: u32) -> (D, Option<u32>) {
    tick("pair").await;
    (D("left"), n.checked_sub(1))
}

async fn numbers(n: u32) -> (u32, u32) {
    tick("numbers").await;
    (n, n + 1)
}

fn noted(d: &D) -> bool {
    look(d);
    d.0.len() > 1
}

fn checked(n: u32) -> Option<bool> {
    note("checked");
    n.checked_sub(1).map(|n| n > 1)
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list = Vec::new();
    macro_rules! each {
        ($($name:ident($($arg:expr),*);)*) => { $(list.push((concat!(stringify!($name), $(" ", stringify!($arg)),*), (|| shown($name($($arg),*))) as Case));)* };
    }
    each! {
        guard_on_a_value(0);
        guard_on_a_value(5);
        guard_on_a_value(50);
        guard_on_a_local(Message::Ping, 3);
        guard_on_a_local(Message::Text(D("ab")), 3);
        guard_on_a_local(Message::Text(D("abcd")), 3);
        guard_on_a_local(Message::Both(D("ab"), D("c")), 3);
        guard_with_a_call(D("a"), 1);
        guard_with_a_call(D("ab"), 1);
        guard_with_a_call(D("ab"), 3);
        guard_that_leaves(1);
        guard_that_leaves(5);
        error_is_dropped_last(0);
        error_is_dropped_last(1);
        rest_of_a_tuple(0);
        rest_of_a_tuple(1);
        last_part_is_left(1);
        else_of_a_number(0);
        else_of_a_number(1);
        else_of_an_error(0);
        else_of_an_error(1);
        part_in_arms(nest());
        taken_chain(3);
        borrowed_chain(2);
        tail_chain(3);
        local_chain(things(3));
    }
    list
}
