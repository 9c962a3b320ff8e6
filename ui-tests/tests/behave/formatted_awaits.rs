//! Cases of awaits in the arguments of `format!`, `println!` and `vec!`.

use std::fmt::{self, Display, Formatter};

use super::log::*;

/// A value that logs when it is formatted.
pub(crate) struct Shown(D);

impl Display for Shown {
    fn fmt(&self, text: &mut Formatter<'_>) -> fmt::Result {
        look(&self.0);
        text.write_str(self.0.0)
    }
}

pub(crate) async fn text(name: &'static str) -> Shown {
    Shown(step(name, 1, D(name)).await)
}

subject! {
    async fn formatted(n: u32) -> String {
        let local = D("local");
        format!("{n} {}{} {last}", text("first").await, text("second").await, last = text("third").await) + local.0
    }
}

subject! {
    async fn among_operands(n: usize) -> usize {
        let pair = (D("before").0.len() + n, format!("{:>1$}", text("within").await, n).len(), step("after", 1, 1).await);
        pair.0 + pair.1 + pair.2
    }
}

subject! {
    async fn part_of_an_output(n: usize) -> String {
        let text = format!("{n} {} {:?}", text("part").await.0.0, "end");
        tick("behind").await;
        text
    }
}

subject! {
    async fn behind_a_call(n: u32) -> String {
        format!("{} {}", step("call", n, D("output")).await.0, { look(&D("block")); n })
    }
}

subject! {
    async fn before_a_return(n: u32) -> Result<String, u32> {
        let checked = |n: u32| if n > 1 { Ok(D("ok")) } else { Err(n) };
        let kept = D("kept");
        let text = format!("{}{}", text("first").await, checked(step("second", 1, n).await)?.0);
        look(&kept);
        Ok(text)
    }
}

subject! {
    async fn in_a_loop(list: Vec<D>) -> usize {
        let mut length = 0;
        for item in list {
            if format!("{}", text("item").await) == item.0 {
                continue;
            }
            length += format!("{}", step("length", 1, item.0.len()).await).len();
        }
        length
    }
}

subject! {
    async fn listed(n: usize) -> usize {
        let list = vec![step("one", 1, D("one")).await, step("two", 1, D("two")).await];
        tick("listed").await;
        let more = vec![vec![step("three", 1, n).await; 2], vec![]];
        list.len() + more.concat().len()
    }
}

subject! {
    async fn coerced(n: u32) -> usize {
        let list: Vec<Box<dyn Display>> = vec![Box::new(text("boxed").await), Box::new(n)];
        tick("coerced").await;
        list.iter().map(|item| item.to_string().len()).sum()
    }
}

subject! {
    async fn under_a_condition(n: u32) -> u32 {
        tick("before").await;
        #[cfg(any())]
        println!("{}", gone().await);
        #[cfg(any())]
        dbg!(gone());
        n
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list = Vec::new();
    case!(list, "formatted", formatted(1));
    case!(list, "among_operands", among_operands(9));
    case!(list, "part_of_an_output", part_of_an_output(1));
    case!(list, "behind_a_call", behind_a_call(2));
    case!(list, "before_a_return", async { format!("{:?}", before_a_return(2).await) });
    case!(list, "before_a_return early", async { format!("{:?}", before_a_return(1).await) });
    case!(list, "in_a_loop", in_a_loop(vec![D("item"), D("other")]));
    case!(list, "under_a_condition", under_a_condition(2));
    case!(list, "listed", listed(2));
    case!(list, "coerced", coerced(12));
    list
}
