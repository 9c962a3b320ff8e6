//! Cases of conditions that await; `subject!` decides what they become.

use super::log::*;

/// Logs the call, and returns `answer`.
fn ask(name: &'static str, answer: bool) -> bool {
    note(format!("ask-{name}"));
    answer
}

/// Returns a value and a guard that logs its drop.
fn guarded(n: u32) -> (u32, D) {
    (n, D("guarded"))
}

subject! {
    async fn if_await(on: bool) -> u32 {
        let out: D = D("out");
        if step::<bool>("if", 1, on).await {
            let _in: D = D("in");
            tick("then").await;
            1
        } else if !step::<bool>("else-if", 1, on).await {
            tick("not").await;
            look(&out);
            2
        } else {
            3
        }
    }
}

subject! {
    async fn both(a: bool, b: bool) -> u32 {
        let out: D = D("out");
        let n: u32 = if ask("a", a) && step::<bool>("b", 1, b).await {
            tick("then").await;
            1
        } else {
            tick("else").await;
            2
        };
        look(&out);
        tick("end").await;
        n
    }
}

subject! {
    async fn either(a: bool, b: bool, c: bool) -> u32 {
        let _out: D = D("out");
        if step::<bool>("a", 1, a).await || (ask("b", b) && step::<bool>("c", 1, c).await) {
            return 1;
        }
        let all: bool = step::<bool>("x", 1, a).await && step::<bool>("y", 1, b).await && ask("z", c);
        tick("end").await;
        if all || !(step::<bool>("last", 0, b).await || c) { 2 } else { 3 }
    }
}

subject! {
    async fn compares(n: u32) -> bool {
        let m: u32 = n + 1;
        let first: bool = step::<u32>("n", 1, n).await < m;
        let second: bool = 5 == step::<u32>("m", 1, m).await;
        if step::<u32>("if", 1, n).await >= n && second {
            return true;
        }
        (step::<u32>("sum", 1, n).await + m) * 2 > 7 && first
    }
}

subject! {
    async fn while_both(limit: u32) -> u32 {
        let mut n: u32 = 0;
        while n < limit && step::<bool>("go", 1, n < 3).await {
            let _turn: D = D("turn");
            n += 1;
            if n == 2 {
                continue;
            }
            tick("body").await;
        }
        tick("end").await;
        n
    }
}

subject! {
    async fn chain(value: Option<u32>, on: bool) -> u32 {
        let out: D = D("out");
        let n: u32 = if on && let Some(n) = step::<Option<u32>>("value", 1, value).await && n > 1 {
            let n: u32 = n;
            let _in: D = D("in");
            tick("then").await;
            n
        } else {
            tick("else").await;
            100
        };
        look(&out);
        n
    }
}

subject! {
    async fn chain_of_two(first: Option<u32>, second: Result<u32, u32>) -> u32 {
        if let Some(n) = first
            && ask("first", n == 1)
            && let Ok(m) = step::<Result<u32, u32>>("second", 1, second).await
            && step::<bool>("third", 1, m != 7).await
        {
            tick("then").await;
            return 5;
        } else if let Err(e) = step::<Result<u32, u32>>("again", 1, second).await {
            let e: u32 = e;
            tick("else").await;
            return e;
        }
        note("behind");
        0
    }
}

subject! {
    async fn chain_in_a_loop(values: Vec<Option<u32>>) -> u32 {
        let mut sum: u32 = 0;
        for value in values {
            let _turn: D = D("turn");
            if let Some(_) = value && step::<bool>("small", 1, sum < 5).await {
                let _in: D = D("in");
                sum += 3;
                if sum == 6 {
                    tick("again").await;
                    continue;
                }
            } else {
                let _or: D = D("or");
                if sum > 3 {
                    break;
                }
                tick("none").await;
            }
            tick("behind").await;
        }
        sum
    }
}

subject! {
    async fn chain_with_a_guard(on: bool) -> u32 {
        let out: D = D("out");
        if let (1, _d) = guarded(if on { 1 } else { 2 }) && ask("more", true) {
            look(&out);
        }
        if ask("go", on) && let Some(d) = step::<Option<D>>("made", 1, Some(D("made"))).await {
            look(&d);
        } else {
            tick("else").await;
        }
        4
    }
}

subject! {
    async fn while_chain(limit: u32) -> u32 {
        let mut n: u32 = 0;
        'turns: while n < limit
            && let Some(d) = step::<Option<D>>("given", 1, (n < 3).then(|| D("given"))).await
            && ask("go", n != 4)
        {
            n += 1;
            let d: D = d;
            if n == 2 {
                continue 'turns;
            }
            tick("body").await;
            look(&d);
            if n == 9 {
                break;
            }
        }
        n
    }
}

subject! {
    async fn residue(result: Result<u32, &'static str>) -> u32 {
        let mut left: Vec<u32> = vec![1, 2];
        if let Err(_) = step::<Result<u32, &'static str>>("result", 1, result).await {
            tick("err").await;
        }
        while let Some(_) = left.pop() {
            tick("popped").await;
        }
        0
    }
}

subject! {
    async fn else_of_a_let(value: Option<u32>) -> u32 {
        let out: D = D("out");
        let Some(n) = value else {
            let _in: D = D("in");
            let code: u32 = step::<u32>("else", 1, 3).await;
            look(&out);
            return code;
        };
        let n: u32 = n;
        tick("end").await;
        n
    }
}

subject! {
    async fn else_of_a_let_in_a_loop(given: Vec<Result<u32, D>>) -> u32 {
        let mut sum: u32 = 0;
        for each in given {
            let Ok(n) = each else {
                tick("skip").await;
                if sum == 0 {
                    continue;
                }
                break;
            };
            let n: u32 = n;
            tick("add").await;
            sum += n;
        }
        sum
    }
}

subject! {
    async fn both_of_a_let(value: Option<D>) -> u32 {
        let Some(d) = step::<Option<D>>("value", 1, value).await else {
            if step::<bool>("fatal", 1, true).await {
                return 1;
            }
            unreachable!()
        };
        look(&d);
        2
    }
}

/// Two numbers.
struct Pair {
    a: u32,
    b: u32,
}

subject! {
    async fn in_parentheses(n: u32) -> u32 {
        let sum: u32 = match (step::<u32>("n", 1, n).await) + 0 {
            0 => (step::<u32>("zero", 1, 1).await) + 1,
            _ => 2,
        };
        match (Pair { a: step::<u32>("a", 1, n).await, b: sum }) {
            Pair { a: 0, .. } => 1,
            Pair { a, b } => a + b,
        }
    }
}

/// All cases, by name.
pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "if_await on", if_await(true));
    case!(list, "if_await off", if_await(false));
    case!(list, "both tt", both(true, true));
    case!(list, "both tf", both(true, false));
    case!(list, "both ft", both(false, true));
    case!(list, "either 0", either(false, false, false));
    case!(list, "either 1", either(true, false, true));
    case!(list, "either 2", either(false, true, true));
    case!(list, "either 3", either(false, true, false));
    case!(list, "compares 4", compares(4));
    case!(list, "compares 1", compares(1));
    case!(list, "while_both 9", while_both(9));
    case!(list, "while_both 1", while_both(1));
    case!(list, "chain then", chain(Some(2), true));
    case!(list, "chain small", chain(Some(1), true));
    case!(list, "chain none", chain(None, true));
    case!(list, "chain off", chain(Some(2), false));
    case!(list, "chain_of_two then", chain_of_two(Some(1), Ok(2)));
    case!(list, "chain_of_two third", chain_of_two(Some(1), Ok(7)));
    case!(list, "chain_of_two err", chain_of_two(Some(1), Err(9)));
    case!(list, "chain_of_two none", chain_of_two(None, Err(9)));
    case!(
        list,
        "chain_in_a_loop",
        chain_in_a_loop(vec![None, Some(1), Some(2), Some(3), None, Some(4)])
    );
    case!(list, "chain_with_a_guard on", chain_with_a_guard(true));
    case!(list, "chain_with_a_guard off", chain_with_a_guard(false));
    case!(list, "while_chain 9", while_chain(9));
    case!(list, "while_chain 2", while_chain(2));
    case!(list, "residue ok", residue(Ok(1)));
    case!(list, "residue err", residue(Err("e")));
    case!(list, "else_of_a_let some", else_of_a_let(Some(1)));
    case!(list, "else_of_a_let none", else_of_a_let(None));
    case!(
        list,
        "else_of_a_let_in_a_loop",
        else_of_a_let_in_a_loop(vec![Err(D("e")), Ok(1), Err(D("f")), Ok(2)])
    );
    case!(list, "both_of_a_let some", both_of_a_let(Some(D("v"))));
    case!(list, "both_of_a_let none", both_of_a_let(None));
    case!(list, "in_parentheses 0", in_parentheses(0));
    case!(list, "in_parentheses 1", in_parentheses(1));
    list
}
