//! Cases of branches that await; `subject!` decides what they become.

use super::log::*;

subject! {
    async fn branches(which: u32) -> u32 {
        let a: D = D("a");
        let x: u32 = if which == 0 {
            let _in_then: D = D("then");
            tick("then").await;
            1
        } else if which == 1 {
            let y: u32 = step::<u32>("else-if", 2, 20).await;
            y + 1
        } else {
            note("plain");
            3
        };
        look(&a);
        tick("after").await;
        x
    }
}

subject! {
    async fn branch_without_else(on: bool) -> u32 {
        let a: D = D("a");
        if on {
            tick("on").await;
            look(&a);
        }
        note("behind");
        tick("end").await;
        9
    }
}

subject! {
    async fn matches(value: Option<D>, other: Result<u32, u32>) -> u32 {
        let n: u32 = match value {
            Some(d) => {
                let d: D = d;
                tick("some").await;
                look(&d);
                1
            }
            None => {
                tick("none").await;
                2
            }
        };
        match other {
            Ok(x) if x > 5 => n + x,
            Ok(x) => {
                let x: u32 = x;
                tick("small").await;
                n + x
            }
            Err(_) => step::<u32>("err", 1, 100).await,
        }
    }
}

subject! {
    async fn match_await(which: u32) -> String {
        match step::<Result<D, u32>>("given", 1, if which == 0 { Ok(D("ok")) } else { Err(which) }).await {
            Ok(d) => format!("{}", d.0),
            Err(n) if n > 5 => String::from("large"),
            Err(n) => {
                let n: u32 = n;
                tick("small").await;
                format!("{n}")
            }
        }
    }
}

subject! {
    async fn nested_match(a: Option<u32>, b: u32) -> u32 {
        let out: D = D("out");
        let r: u32 = match a {
            Some(n) => match b {
                0 => step::<u32>("zero", 1, n).await,
                1 => {
                    tick("one").await;
                    11
                }
                _ => 7,
            },
            None => 0,
        };
        note(format!("r{r}"));
        tick("end").await;
        look(&out);
        r
    }
}

subject! {
    async fn if_let_await(give: bool) -> u32 {
        if let Some(d) = step::<Option<D>>("given", 1, give.then(|| D("d"))).await {
            look(&d);
            1
        } else {
            tick("else").await;
            2
        }
    }
}

subject! {
    async fn let_else(give: bool) -> u32 {
        let _a: D = D("a");
        let Some(n) = step::<Option<u32>>("given", 1, give.then_some(3)).await else {
            return 0;
        };
        let n: u32 = n;
        tick("after").await;
        n
    }
}

subject! {
    async fn conditional_use(on: bool) -> u32 {
        let a: D = D("a");
        let b: D = D("b");
        let n: u32 = if on {
            consume(b);
            step::<u32>("on", 1, 1).await
        } else {
            consume(b);
            2
        };
        tick("end").await;
        look(&a);
        n
    }
}

subject! {
    async fn coerced_branches(near: bool, a: D) -> String {
        let shown: Box<dyn std::fmt::Debug + Send> = if near {
            tick("near").await;
            Box::new("near")
        } else {
            tick("far").await;
            Box::new(1)
        };
        tick("behind").await;
        look(&a);
        format!("{shown:?}")
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "branches 0", branches(0));
    case!(list, "branches 1", branches(1));
    case!(list, "branches 2", branches(2));
    case!(list, "branch_without_else on", branch_without_else(true));
    case!(list, "branch_without_else off", branch_without_else(false));
    case!(list, "matches some ok", matches(Some(D("v")), Ok(9)));
    case!(list, "matches none small", matches(None, Ok(2)));
    case!(list, "matches none err", matches(None, Err(2)));
    case!(list, "match_await ok", match_await(0));
    case!(list, "match_await small", match_await(3));
    case!(list, "match_await large", match_await(8));
    case!(list, "nested_match zero", nested_match(Some(5), 0));
    case!(list, "nested_match one", nested_match(Some(5), 1));
    case!(list, "nested_match plain", nested_match(Some(5), 2));
    case!(list, "nested_match none", nested_match(None, 0));
    case!(list, "if_let_await some", if_let_await(true));
    case!(list, "if_let_await none", if_let_await(false));
    case!(list, "let_else some", let_else(true));
    case!(list, "let_else none", let_else(false));
    case!(list, "conditional_use on", conditional_use(true));
    case!(list, "conditional_use off", conditional_use(false));
    case!(list, "coerced_branches near", coerced_branches(true, D("a")));
    case!(list, "coerced_branches far", coerced_branches(false, D("a")));
    list
}
