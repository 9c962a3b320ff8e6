//! Cases of matched values of which an arm that awaits leaves something behind.

use super::log::*;

subject! {
    async fn ask(turn: u32, good: u32) -> Result<D, D> {
        tick("ask").await;
        if turn < good { Err(D("error")) } else { Ok(D("page")) }
    }
}

subject! {
    async fn pair(n: u32) -> Option<(u32, D)> {
        tick("pair").await;
        (n > 0).then(|| (n, D("second")))
    }
}

subject! {
    async fn again(good: u32) -> Result<D, D> {
        let mut tries: u32 = 0;
        loop {
            let turn: D = D("turn");
            match ask(tries, good).await {
                Ok(page) => return Ok(page),
                Err(_) if tries < 2 => {
                    tries += 1;
                    tick("wait").await;
                    note("waited");
                }
                Err(error) => {
                    tick("give up").await;
                    return Err(error);
                }
            }
        }
    }
}

subject! {
    async fn unless(good: u32) -> u32 {
        let held: D = D("held");
        if let Err(_) = ask(1, good).await {
            tick("wait").await;
            note("waited");
        }
        let answer: u32 = match ask(1, good).await {
            Ok(_) => {
                tick("well").await;
                1
            }
            _ => {
                tick("ill").await;
                2
            }
        };
        let other: u32 = if let Err(_) = ask(1, good).await && answer > 0 {
            tick("other").await;
            note("other");
            3
        } else if let Ok(_) = ask(2, good).await {
            tick("else").await;
            4
        } else {
            note("plain");
            5
        };
        look(&held);
        answer + other
    }
}

subject! {
    async fn at_end(good: u32) {
        let held: D = D("held");
        tick("begin").await;
        look(&held);
        let inner: D = D("inner");
        match ask(1, good).await {
            Ok(_) => note("well"),
            Err(_) => {
                tick("ill").await;
                look(&inner);
            }
        }
    }
}

subject! {
    async fn while_there(mut count: u32) -> u32 {
        while let Some(_) = pair(count).await {
            tick("turn").await;
            note("turned");
            count -= 1;
        }
        count
    }
}

subject! {
    async fn part(n: u32) -> u32 {
        let mut sum: u32 = 0;
        if let Some((_, second)) = pair(n).await {
            tick("second").await;
            look(&second);
            sum += 1;
        }
        match pair(n).await {
            Some((1, second)) => {
                tick("one").await;
                look(&second);
            }
            Some((n, second)) if n > 1 => {
                tick("more").await;
                consume(second);
                sum += n;
                tick("consumed").await;
            }
            _ => note("none"),
        }
        sum
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list = Vec::new();
    case!(list, "again at once", again(0));
    case!(list, "again twice", again(2));
    case!(list, "again too often", again(9));
    case!(list, "unless well", unless(0));
    case!(list, "unless ill", unless(9));
    case!(list, "unless later", unless(2));
    case!(list, "at_end well", at_end(0));
    case!(list, "at_end ill", at_end(9));
    case!(list, "while_there", while_there(2));
    case!(list, "part 0", part(0));
    case!(list, "part 1", part(1));
    case!(list, "part 2", part(2));
    list
}
