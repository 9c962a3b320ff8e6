//! Locals that a pattern takes apart on some paths only; `subject!` decides what the cases become.

use super::log::*;

subject! {
    async fn by_a_match(a: D, way: u8, held: Result<u32, D>) -> u8 {
        let b: D = D("b");
        if way == 0 {
            match held {
                Ok(n) => note(format!("{n}")),
                Err(d) => consume(d),
            }
        } else if way == 1 {
            drop(held);
        }
        tick("one").await;
        look(&b);
        tick("two").await;
        1
    }
}

subject! {
    async fn by_a_match_that_waits(way: u8, held: Result<D, D>) -> &'static str {
        let b: D = D("b");
        let name: &'static str = if way == 0 {
            match held {
                Ok(d) => {
                    let d: D = d;
                    tick("good").await;
                    d.0
                }
                Err(d) => {
                    let d: D = d;
                    tick("bad").await;
                    "bad"
                }
            }
        } else {
            tick("not").await;
            "not"
        };
        tick("one").await;
        name
    }
}

subject! {
    async fn by_some_arms(way: u8, held: Several) -> u8 {
        let b: D = D("b");
        if way == 0 {
            match held {
                Several::Two(one, two) if looks_at(&two) => consume(one),
                Several::Two(_, _) if way == 7 => note("two"),
                Several::One(d) | Several::Other(d) if way == 0 => consume(d),
                Several::Number { n: mut number @ 3..6 } => {
                    number += 1;
                    note(format!("{number}"));
                }
                _ => note("others"),
            }
        }
        tick("one").await;
        2
    }
}

subject! {
    async fn by_a_condition(early: bool, held: Option<D>) -> u8 {
        let b: D = D("b");
        if early && let Some(d) = held {
            look(&d);
        } else {
            note("else");
        }
        tick("one").await;
        3
    }
}

subject! {
    async fn by_a_chain(early: bool, late: bool, held: Result<D, D>, more: Option<Result<D, D>>) -> u8 {
        let b: D = D("b");
        if early && let Ok(d) = held && late && let Some(Ok(mut other)) = more && looks_at(&d) {
            other = D("new");
            look(&other);
        } else {
            note("else");
        }
        tick("one").await;
        4
    }
}

subject! {
    async fn behind_an_await(early: bool, held: Option<D>, more: Result<D, u8>) -> u8 {
        let b: D = D("b");
        if step::<bool>("early", 1, early).await && let Some(d) = held && let Ok(other) = more {
            look(&d);
            look(&other);
        } else {
            tick("else").await;
        }
        tick("one").await;
        10
    }
}

subject! {
    async fn by_one_condition(way: u8, held: Result<D, u8>) -> u8 {
        let b: D = D("b");
        if way == 0 {
            if let Ok(d) = held {
                look(&d);
            } else {
                note("else");
            }
        } else if way == 1 {
            tick("way").await;
            drop(held);
        }
        tick("one").await;
        5
    }
}

subject! {
    async fn by_a_let(way: u8, held: (D, D)) -> u8 {
        let b: D = D("b");
        if way == 0 {
            let (one, two): (D, D) = held;
            consume(one);
            tick("way").await;
        } else if way == 1 {
            let (mut one, two) = held;
            one = D("new");
        }
        tick("one").await;
        6
    }
}

subject! {
    async fn by_a_let_else(way: u8, held: Result<D, D>) -> u8 {
        let b: D = D("b");
        let c: D = 'found: {
            if way == 0 {
                let Ok(d) = held else {
                    tick("else").await;
                    break 'found D("c");
                };
                consume(d);
            } else if way == 1 {
                let one: D = {
                    let Ok(d) = held else {
                        note("plainly");
                        break 'found D("c2");
                    };
                    d
                };
                look(&one);
            }
            tick("inside").await;
            D("c3")
        };
        tick("one").await;
        look(&c);
        7
    }
}

subject! {
    async fn in_a_loop(turns: u32, mut held: Option<Result<D, D>>) -> u32 {
        let mut i: u32 = 0;
        while i < turns {
            if i == 1 {
                while let Some(Ok(d)) = held {
                    consume(d);
                    tick("within").await;
                    held = Some(Err(D("error")));
                }
            }
            tick("turn").await;
            i += 1;
        }
        tick("after").await;
        i
    }
}

subject! {
    async fn nested_else(early: bool, held: Option<Result<D, D>>) -> u8 {
        let b: D = D("b");
        loop {
            let kept: u8 = {
                let Some(Ok(d)) = held else { break };
                consume(d);
                1
            };
            tick("kept").await;
            return kept;
        }
        tick("left").await;
        look(&b);
        8
    }
}

subject! {
    async fn name_of_a_number(way: bool) -> u32 {
        if way {
            let b: D = D("b");
            if looks_at(&b) {
                consume(b);
            }
            tick("one").await;
            0
        } else {
            let b: u32 = 3;
            let pair: (u32, u32) = (b, b);
            tick("two").await;
            b + b + pair.0
        }
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    fn twice(good: bool) -> Result<D, D> {
        good.then_some(D("good")).ok_or_else(|| D("bad"))
    }
    case!(list, "by_a_match 0 ok", by_a_match(D("a"), 0, Ok(1)));
    case!(list, "by_a_match 0 err", by_a_match(D("a"), 0, Err(D("e"))));
    case!(list, "by_a_match 1 ok", by_a_match(D("a"), 1, Ok(1)));
    case!(list, "by_a_match 1 err", by_a_match(D("a"), 1, Err(D("e"))));
    case!(list, "by_a_match 2 ok", by_a_match(D("a"), 2, Ok(1)));
    case!(list, "by_a_match 2 err", by_a_match(D("a"), 2, Err(D("e"))));
    case!(list, "by_a_match_that_waits 0 true", by_a_match_that_waits(0, twice(true)));
    case!(list, "by_a_match_that_waits 0 false", by_a_match_that_waits(0, twice(false)));
    case!(list, "by_a_match_that_waits 1 true", by_a_match_that_waits(1, twice(true)));
    case!(list, "by_a_match_that_waits 1 false", by_a_match_that_waits(1, twice(false)));
    case!(list, "by_some_arms 0 two", by_some_arms(0, Several::Two(D("x"), D("y"))));
    case!(list, "by_some_arms 0 one", by_some_arms(0, Several::One(D("x"))));
    case!(list, "by_some_arms 0 other", by_some_arms(0, Several::Other(D("x"))));
    case!(list, "by_some_arms 0 four", by_some_arms(0, Several::Number { n: 4 }));
    case!(list, "by_some_arms 0 nine", by_some_arms(0, Several::Number { n: 9 }));
    case!(list, "by_some_arms 1 two", by_some_arms(1, Several::Two(D("x"), D("y"))));
    case!(list, "by_some_arms 1 one", by_some_arms(1, Several::One(D("x"))));
    case!(list, "by_some_arms 1 other", by_some_arms(1, Several::Other(D("x"))));
    case!(list, "by_some_arms 1 four", by_some_arms(1, Several::Number { n: 4 }));
    case!(list, "by_some_arms 1 nine", by_some_arms(1, Several::Number { n: 9 }));
    case!(list, "by_a_condition true some", by_a_condition(true, Some(D("h"))));
    case!(list, "by_a_condition true none", by_a_condition(true, None));
    case!(list, "by_a_condition false some", by_a_condition(false, Some(D("h"))));
    case!(list, "by_a_condition false none", by_a_condition(false, None));
    case!(list, "by_a_chain true true true some", by_a_chain(true, true, twice(true), Some(twice(true))));
    case!(list, "by_a_chain true true true bad", by_a_chain(true, true, twice(true), Some(twice(false))));
    case!(list, "by_a_chain true true true none", by_a_chain(true, true, twice(true), None));
    case!(list, "by_a_chain true false true some", by_a_chain(true, false, twice(true), Some(twice(true))));
    case!(list, "by_a_chain true true false some", by_a_chain(true, true, twice(false), Some(twice(true))));
    case!(list, "by_a_chain false true true some", by_a_chain(false, true, twice(true), Some(twice(true))));
    case!(list, "by_one_condition 0 ok", by_one_condition(0, Ok(D("h"))));
    case!(list, "by_one_condition 0 err", by_one_condition(0, Err(1)));
    case!(list, "by_a_let 0", by_a_let(0, (D("x"), D("y"))));
    case!(list, "by_a_let_else 0 ok", by_a_let_else(0, twice(true)));
    case!(list, "by_a_let_else 0 err", by_a_let_else(0, twice(false)));
    case!(list, "by_one_condition 1 ok", by_one_condition(1, Ok(D("h"))));
    case!(list, "by_one_condition 1 err", by_one_condition(1, Err(1)));
    case!(list, "by_a_let 1", by_a_let(1, (D("x"), D("y"))));
    case!(list, "by_a_let_else 1 ok", by_a_let_else(1, twice(true)));
    case!(list, "by_a_let_else 1 err", by_a_let_else(1, twice(false)));
    case!(list, "by_one_condition 2 ok", by_one_condition(2, Ok(D("h"))));
    case!(list, "by_one_condition 2 err", by_one_condition(2, Err(1)));
    case!(list, "by_a_let 2", by_a_let(2, (D("x"), D("y"))));
    case!(list, "by_a_let_else 2 ok", by_a_let_else(2, twice(true)));
    case!(list, "by_a_let_else 2 err", by_a_let_else(2, twice(false)));
    case!(list, "in_a_loop ok", in_a_loop(3, Some(twice(true))));
    case!(list, "in_a_loop err", in_a_loop(3, Some(twice(false))));
    case!(list, "in_a_loop never", in_a_loop(1, Some(twice(true))));
    case!(list, "nested_else true", nested_else(true, Some(twice(true))));
    case!(list, "name_of_a_number true", name_of_a_number(true));
    case!(list, "nested_else false", nested_else(true, Some(twice(false))));
    case!(list, "name_of_a_number false", name_of_a_number(false));
    case!(list, "behind_an_await true all", behind_an_await(true, Some(D("h")), Ok(D("m"))));
    case!(list, "behind_an_await true none", behind_an_await(true, None, Ok(D("m"))));
    case!(list, "behind_an_await true bad", behind_an_await(true, Some(D("h")), Err(1)));
    case!(list, "behind_an_await false all", behind_an_await(false, Some(D("h")), Ok(D("m"))));
    case!(list, "behind_an_await false none", behind_an_await(false, None, Ok(D("m"))));
    case!(list, "behind_an_await false bad", behind_an_await(false, Some(D("h")), Err(1)));
    list
}

#[derive(Debug)]
pub(crate) enum Several {
    One(D),
    Other(D),
    Two(D, D),
    Number { n: u32 },
}

fn looks_at(d: &D) -> bool {
    look(d);
    true
}
