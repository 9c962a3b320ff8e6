//! Cases of locals that are assigned: late, again, on some paths only.
//!
//! `subject!` decides what they become.

use super::log::*;

subject! {
    async fn assigns() -> u32 {
        let mut d: D = D("first");
        tick("one").await;
        d = D("second");
        tick("two").await;
        d = step::<D>("make", 1, D("third")).await;
        look(&d);
        let mut n: u32 = 1;
        n += step::<u32>("n", 1, 2).await;
        n
    }
}

subject! {
    async fn deferred(which: bool) -> &'static str {
        let d: D;
        if which {
            tick("one").await;
            d = D("one");
        } else {
            d = D("other");
        }
        tick("two").await;
        look(&d);
        d.0
    }
}

subject! {
    async fn moved_and_back() -> u32 {
        let mut d: D = D("first");
        consume(d);
        tick("gone").await;
        d = D("second");
        tick("back").await;
        look(&d);
        1
    }
}

subject! {
    async fn set_in_a_branch(set: bool) -> u8 {
        let late: D;
        if set {
            late = D("late");
            look(&late);
        }
        tick("one").await;
        tick("two").await;
        5
    }
}

subject! {
    async fn set_again(a: D, again: bool) -> u8 {
        let mut b: D = D("b");
        consume(b);
        if again {
            b = D("b2");
            look(&b);
        }
        tick("one").await;
        b = D("b3");
        tick("two").await;
        look(&b);
        6
    }
}

subject! {
    async fn set_by_an_await(again: bool) -> u8 {
        let mut b: D = D("b");
        if again {
            consume(b);
            tick("gone").await;
            b = step::<D>("carry", 1, D("b2")).await;
        }
        if again {
            consume(b);
        }
        tick("one").await;
        7
    }
}

subject! {
    async fn moved_in_a_loop(turns: u32) -> u32 {
        let mut kept: D = D("first");
        let mut i: u32 = 0;
        while i < turns {
            look(&kept);
            if i == 1 {
                consume(kept);
                tick("between").await;
                kept = D("second");
            }
            tick("turn").await;
            i += 1;
        }
        tick("after").await;
        i
    }
}

subject! {
    async fn to_nothing(which: u32) -> u32 {
        let _first: D = D("first");
        _ = step::<D>("alone", 1, D("alone")).await;
        note("after");
        match which {
            0 => _ = step::<D>("arm", 1, D("arm")).await,
            1 => {
                _ = step::<D>("end", 1, D("end")).await
            }
            2 => _ = step::<(D, D)>("field", 1, (D("left"), D("right"))).await.0,
            _ => {}
        }
        tick("last").await;
        which
    }
}

async fn borrow(name: &'static str, d: &mut D) {
    tick(name).await;
    note(d.0);
}

subject! {
    async fn lent_moved_and_set_again(turns: u32) -> u32 {
        let mut kept = D("first");
        let mut turn = 0;
        loop {
            if turn == turns {
                borrow("lent", &mut kept).await;
                break;
            }
            tick("turn").await;
            consume(kept);
            kept = D("anew");
            turn += 1;
        }
        look(&kept);
        turn
    }
}

subject! {
    async fn lent_and_moved_in_a_branch(yes: bool) -> u32 {
        let mut kept = D("first");
        borrow("one", &mut kept).await;
        if yes {
            consume(kept);
            kept = D("anew");
        }
        borrow("two", &mut kept).await;
        1
    }
}

subject! {
    async fn added_to_itself(again: bool) -> u32 {
        let mut sum = step("sum", 1, 2u32).await;
        let mut pair = (3u32, D("pair"));
        tick("one").await;
        if again {
            sum += { look(&pair.1); sum };
            pair.0 ^= { note("xor"); pair.0 };
            tick("two").await;
            return pair.0;
        }
        sum
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "assigns", assigns());
    case!(list, "to nothing", to_nothing(3));
    case!(list, "to nothing in an arm", to_nothing(0));
    case!(list, "to nothing at an end", to_nothing(1));
    case!(list, "to nothing of a field", to_nothing(2));
    case!(list, "deferred await", deferred(true));
    case!(list, "deferred plain", deferred(false));
    case!(list, "moved_and_back", moved_and_back());
    case!(list, "set_in_a_branch yes", set_in_a_branch(true));
    case!(list, "set_in_a_branch no", set_in_a_branch(false));
    case!(list, "set_again yes", set_again(D("a"), true));
    case!(list, "set_again no", set_again(D("a"), false));
    case!(list, "set_by_an_await yes", set_by_an_await(true));
    case!(list, "set_by_an_await no", set_by_an_await(false));
    case!(list, "lent_moved_and_set_again 0", lent_moved_and_set_again(0));
    case!(list, "lent_moved_and_set_again 2", lent_moved_and_set_again(2));
    case!(list, "lent_and_moved_in_a_branch yes", lent_and_moved_in_a_branch(true));
    case!(list, "lent_and_moved_in_a_branch no", lent_and_moved_in_a_branch(false));
    case!(list, "added_to_itself yes", added_to_itself(true));
    case!(list, "added_to_itself no", added_to_itself(false));
    case!(list, "moved_in_a_loop", moved_in_a_loop(3));
    list
}
