//! Cases of what patterns bind: moved on some paths only, behind guards, beside what they leave
//! out.

use std::collections::BTreeMap;

use super::log::*;

pub(crate) struct Request(D);

impl Request {
    fn into_body(self) -> D {
        self.0
    }
}

subject! {
    async fn on_some_paths(option: Option<D>, pair: Result<(D, D), D>, early: bool) -> u32 {
        if let Some(found) = option {
            tick("found").await;
            if early {
                consume(found);
            }
            tick("on").await;
            note("end");
        }
        match pair {
            Ok((left, right)) => {
                tick("pair").await;
                if early {
                    consume(left);
                }
                tick("left").await;
                note("both");
                drop(right);
                2
            }
            Err(error) if early => {
                consume(error);
                3
            }
            Err(error) => {
                tick("error").await;
                if error.0.is_empty() {
                    consume(error);
                }
                tick("end").await;
                4
            }
        }
    }
}

subject! {
    async fn in_turns(limit: u32) -> u32 {
        let mut turn: u32 = 0;
        while let Some((left, right)) = step::<Option<(D, D)>>("pair", 1, (turn < limit).then(|| (D("left"), D("right")))).await {
            match turn {
                0 => {
                    consume(left);
                    tick("first").await;
                }
                1 => {
                    tick("second").await;
                    consume(right);
                    tick("consumed").await;
                }
                _ => tick("other").await,
            }
            note("turned");
            turn += 1;
        }
        turn
    }
}

subject! {
    async fn guarded(option: Option<D>, early: bool) -> u32 {
        match option {
            Some(found) if { look(&found); early } => {
                tick("early").await;
                look(&found);
                1
            }
            Some(found) => {
                tick("late").await;
                look(&found);
                tick("end").await;
                2
            }
            None => 3,
        }
    }
}

subject! {
    async fn left_out(pairs: Vec<(D, D)>, map: BTreeMap<u32, D>) -> u32 {
        let mut count: u32 = 0;
        for (left, _) in pairs {
            tick("left").await;
            look(&left);
            count += 1;
        }
        for (key, _) in map {
            tick("key").await;
            if key == 2 {
                break;
            }
            count += key;
        }
        let numbers: [(D, (u32, u8)); 2] = [(D("a"), (1, 2)), (D("b"), (3, 4))];
        for (_, (mut number, _)) in numbers {
            tick("number").await;
            number += 1;
            count += number;
        }
        count
    }
}

subject! {
    async fn parts(pair: (D, D), early: bool) -> u32 {
        let held: D = D("held");
        let three: (D, D, D) = (D("1"), D("2"), D("3"));
        tick("whole").await;
        look(&three.0);
        if early {
            return 0;
        }
        let (_, second, _) = three;
        let right = pair.1;
        tick("parts").await;
        look(&second);
        consume(right);
        tick("right").await;
        look(&three.2);
        look(&held);
        1
    }
}

subject! {
    async fn told_parts() -> u32 {
        let told = (D("told"), 4u32);
        tick("told").await;
        let (first, _) = told;
        tick("first").await;
        look(&first);
        let awaited: (D, D) = step::<(D, D)>("both", 1, (D("a"), D("b"))).await;
        let (left, _) = awaited;
        tick("left").await;
        consume(left);
        tick("end").await;
        told.1
    }
}

subject! {
    async fn by_custom(request: Request, again: bool) -> u32 {
        if again {
            let body: D = request.into_body();
            tick("body").await;
            look(&body);
            tick("looked").await;
            return 1;
        }
        tick("kept").await;
        note("end");
        2
    }
}

fn found(count: u32) -> Option<D> {
    (count > 0).then(|| D("found"))
}

subject! {
    async fn keeps(value: D) -> u32 {
        tick("keeps").await;
        look(&value);
        4
    }
}

subject! {
    async fn untyped(count: u32) -> Result<u32, D> {
        let first = found(count);
        let sum: u32 = keeps(first.unwrap_or(D("other"))).await;
        let second = found(count);
        let second: D = second.ok_or(D("none"))?;
        tick("second").await;
        look(&second);
        Ok(sum)
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list = Vec::new();
    case!(list, "on_some_paths yes", on_some_paths(Some(D("o")), Ok((D("a"), D("b"))), true));
    case!(list, "on_some_paths no", on_some_paths(Some(D("o")), Ok((D("a"), D("b"))), false));
    case!(list, "on_some_paths error", on_some_paths(None, Err(D("e")), false));
    case!(list, "on_some_paths error, early", on_some_paths(None, Err(D("e")), true));
    case!(list, "in_turns", in_turns(3));
    case!(list, "guarded yes", guarded(Some(D("o")), true));
    case!(list, "guarded no", guarded(Some(D("o")), false));
    case!(list, "guarded none", guarded(None, false));
    case!(
        list,
        "left_out",
        left_out(vec![(D("a"), D("b")), (D("c"), D("d"))], BTreeMap::from([(1, D("one")), (2, D("two")), (3, D("three"))]))
    );
    case!(list, "parts", parts((D("a"), D("b")), false));
    case!(list, "parts early", parts((D("a"), D("b")), true));
    case!(list, "told_parts", told_parts());
    case!(list, "by_custom yes", by_custom(Request(D("body")), true));
    case!(list, "by_custom no", by_custom(Request(D("body")), false));
    case!(list, "untyped some", untyped(1));
    case!(list, "untyped none", untyped(0));
    list
}
