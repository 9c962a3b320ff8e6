//! Locals that are moved on some paths only; `subject!` decides what the cases become.

use super::log::*;

subject! {
    async fn moved_in_a_branch(a: D, early: bool) -> u8 {
        let b: D = D("b");
        let c: D = D("c");
        if early {
            consume(b);
        }
        tick("one").await;
        look(&c);
        tick("two").await;
        1
    }
}

subject! {
    async fn argument_in_a_branch(a: D, b: D, c: D, early: bool) -> u8 {
        if early {
            drop(b);
        }
        tick("one").await;
        look(&a);
        tick("two").await;
        2
    }
}

subject! {
    async fn two_of_them(a: D, one: bool, two: bool) -> u8 {
        let b: D = D("b");
        let c: D = D("c");
        let d: D = D("d");
        if one {
            consume(b);
        }
        if two {
            consume(d);
        }
        tick("one").await;
        look(&c);
        tick("two").await;
        3
    }
}

subject! {
    async fn moved_beside_an_await(a: D, way: u8) -> u8 {
        let b: D = D("b");
        match way {
            0 => consume(b),
            1 => {
                tick("kept").await;
                look(&b);
            }
            2 => {
                tick("late").await;
                consume(b);
            }
            _ => return 0,
        }
        tick("one").await;
        look(&a);
        4
    }
}

subject! {
    async fn moved_out_of_a_loop(turns: u32, at: u32) -> u32 {
        let kept: D = D("kept");
        let mut i: u32 = 0;
        loop {
            if i == turns {
                break;
            }
            if i == at {
                consume(kept);
                break;
            }
            tick("turn").await;
            i += 1;
        }
        tick("after").await;
        i
    }
}

subject! {
    async fn awaited_in_a_branch(wait: bool, future: Step<u8>) -> u8 {
        let mut got: u8 = 0;
        if wait {
            got = future.await;
        }
        tick("one").await;
        got
    }
}

subject! {
    async fn in_an_inner_block(away: bool) -> u8 {
        let a: D = D("a");
        {
            let b: D = D("b");
            let c: D = D("c");
            if away {
                consume(b);
            }
            tick("inner").await;
            look(&c);
            if !away {
                consume(c);
            }
            tick("still").await;
        }
        look(&a);
        tick("outer").await;
        9
    }
}

subject! {
    async fn names_shared(way: bool) -> u8 {
        if way {
            let b: D = D("b");
            if way {
                consume(b);
            }
            tick("one").await;
        } else {
            let (b, c): (D, D) = (D("other"), D("c"));
            tick("two").await;
            look(&b);
            look(&c);
        }
        tick("three").await;
        11
    }
}

subject! {
    async fn handed_on(a: D, way: u8) -> &'static str {
        let b: D = D("b");
        let name: &'static str = if way == 0 {
            step::<D>("carry", 1, b).await.0
        } else {
            tick("not").await;
            "none"
        };
        tick("one").await;
        name
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(
        list,
        "moved_in_a_branch yes",
        moved_in_a_branch(D("a"), true)
    );
    case!(
        list,
        "moved_in_a_branch no",
        moved_in_a_branch(D("a"), false)
    );
    case!(
        list,
        "argument_in_a_branch yes",
        argument_in_a_branch(D("a"), D("b"), D("c"), true)
    );
    case!(
        list,
        "argument_in_a_branch no",
        argument_in_a_branch(D("a"), D("b"), D("c"), false)
    );
    case!(list, "two_of_them both", two_of_them(D("a"), true, true));
    case!(list, "two_of_them one", two_of_them(D("a"), true, false));
    case!(list, "two_of_them other", two_of_them(D("a"), false, true));
    case!(list, "two_of_them none", two_of_them(D("a"), false, false));
    case!(
        list,
        "moved_beside_an_await 0",
        moved_beside_an_await(D("a"), 0)
    );
    case!(
        list,
        "moved_beside_an_await 1",
        moved_beside_an_await(D("a"), 1)
    );
    case!(
        list,
        "moved_beside_an_await 2",
        moved_beside_an_await(D("a"), 2)
    );
    case!(
        list,
        "moved_beside_an_await 3",
        moved_beside_an_await(D("a"), 3)
    );
    case!(list, "moved_out_of_a_loop never", moved_out_of_a_loop(2, 5));
    case!(list, "moved_out_of_a_loop first", moved_out_of_a_loop(2, 0));
    case!(list, "moved_out_of_a_loop later", moved_out_of_a_loop(3, 1));
    case!(
        list,
        "awaited_in_a_branch yes",
        awaited_in_a_branch(true, step("arg", 1, 3))
    );
    case!(
        list,
        "awaited_in_a_branch no",
        awaited_in_a_branch(false, step("arg", 1, 3))
    );
    case!(list, "in_an_inner_block yes", in_an_inner_block(true));
    case!(list, "in_an_inner_block no", in_an_inner_block(false));
    case!(list, "names_shared yes", names_shared(true));
    case!(list, "names_shared no", names_shared(false));
    case!(list, "handed_on yes", handed_on(D("a"), 0));
    case!(list, "handed_on no", handed_on(D("a"), 1));
    list
}
