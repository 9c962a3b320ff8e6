//! The order in which locals are dropped; `subject!` decides what the cases become.

use super::log::*;

subject! {
    async fn argument_and_back(mut a: D, b: D) -> u8 {
        consume(a);
        tick("gone").await;
        a = D("again");
        look(&a);
        tick("back").await;
        look(&b);
        1
    }
}

subject! {
    async fn local_and_back(a: D) -> u8 {
        let mut b: D = D("b");
        let c: D = D("c");
        consume(b);
        tick("gone").await;
        b = D("again");
        look(&b);
        look(&c);
        2
    }
}

subject! {
    async fn inner_local_and_back(a: D) -> u8 {
        {
            let mut b: D = D("b");
            let c: D = D("c");
            consume(b);
            tick("gone").await;
            b = D("again");
            look(&b);
            look(&c);
        }
        look(&a);
        3
    }
}

subject! {
    async fn late_local(a: D) -> u8 {
        let b: D;
        let c: D = D("c");
        tick("not yet").await;
        b = D("b");
        look(&b);
        look(&c);
        4
    }
}

subject! {
    async fn beyond_the_pattern(keep: bool) -> u8 {
        let a: Option<D> = Some(D("a"));
        if let Some(d) = a && keep {
            look(&d);
        } else {
            tick("else").await;
        }
        tick("one").await;
        6
    }
}

fn halves(give: bool) -> Option<[u32; 2]> {
    give.then_some([1, 2])
}

subject! {
    async fn question_first(give: bool) -> Option<u32> {
        let mut sum: [u32; 1] = [0];
        tick("one").await;
        halves(give)?[0] += 1;
        *Some(&mut sum)? = [7];
        Some(&mut sum)?[0] += halves(give)?[1];
        tick("two").await;
        Some(sum[0])
    }
}

subject! {
    async fn block_with_one_way_left(numbers: [u32; 2], early: bool) -> u32 {
        loop {
            let first: u32 = numbers[0];
            let more: bool = 'block: {
                if early {
                    if first > 0 {
                        tick("early").await;
                    }
                    return 8;
                }
                if first > 5 {
                    break 'block true;
                }
                step::<bool>("more", 1, false).await
            };
            if !more {
                return first;
            }
        }
    }
}

/// All cases, by name.
pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(
        list,
        "argument_and_back",
        argument_and_back(D("a"), D("b"))
    );
    case!(list, "local_and_back", local_and_back(D("a")));
    case!(list, "inner_local_and_back", inner_local_and_back(D("a")));
    case!(list, "late_local", late_local(D("a")));
    case!(list, "beyond_the_pattern not", beyond_the_pattern(false));
    case!(list, "beyond_the_pattern", beyond_the_pattern(true));
    case!(list, "question_first some", question_first(true));
    case!(list, "question_first none", question_first(false));
    case!(
        list,
        "block_with_one_way_left early",
        block_with_one_way_left([1, 2], true)
    );
    case!(
        list,
        "block_with_one_way_left late",
        block_with_one_way_left([1, 2], false)
    );
    list
}
