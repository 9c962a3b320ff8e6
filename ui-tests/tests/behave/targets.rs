//! Cases of assignments with several targets.

use super::log::*;

/// Two values, one beside the other.
#[derive(Debug)]
pub(crate) struct Pair {
    pub(crate) left: D,
    pub(crate) right: D,
}

fn two() -> (D, D) {
    (D("one"), D("other"))
}

subject! {
    async fn late_targets() -> u32 {
        let a: D;
        let b: D;
        (a, b) = two();
        look(&a);
        tick("held").await;
        note("end");
        1
    }
}

subject! {
    async fn renewed_targets(both: (D, D)) -> u32 {
        let mut a: D = D("old a");
        let mut b: D = D("old b");
        tick("first").await;
        (b, a) = both;
        tick("held").await;
        look(&b);
        2
    }
}

subject! {
    async fn some_targets() -> u32 {
        let a: D;
        let first: D;
        (a, _) = two();
        note("and");
        [first, ..] = [D("1"), D("2"), D("3")];
        tick("held").await;
        look(&first);
        tick("still").await;
        look(&a);
        3
    }
}

subject! {
    async fn nested_targets(pair: Pair) -> u32 {
        let mut kept: Option<D>;
        let mut pair: Pair = pair;
        let mut list: [D; 1] = [D("listed")];
        let left: D;
        ((kept, pair.left), [list[0]]) = ((Some(D("kept")), D("left again")), [D("listed again")]);
        tick("assigned").await;
        Pair { left, right: pair.right } = Pair { left: D("new left"), right: D("new right") };
        tick("held").await;
        look(&pair.left);
        (kept) = None;
        tick("gone").await;
        look(&left);
        4
    }
}

subject! {
    async fn awaited_targets() -> u32 {
        let a: D;
        let mut n: u32 = 0;
        (a, n) = step::<(D, u32)>("pair", 1, (D("a"), 5)).await;
        tick("held").await;
        Some(n).map_or(0, |n| n)
    }
}

subject! {
    async fn targets_on_some_paths(taken: bool, again: bool) -> u32 {
        let mut a: D = D("a");
        let mut n: u32 = 0;
        if taken {
            consume(a);
            tick("gone").await;
            if again {
                (a, n) = (D("again"), 1);
            }
        }
        tick("held").await;
        if taken == again {
            (a, n) = (D("last"), n + 1);
            look(&a);
        }
        tick("after").await;
        n
    }
}

subject! {
    async fn looked_at_only(a: D) -> u32 {
        _ = a;
        tick("held").await;
        note("end");
        5
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "late_targets", late_targets());
    case!(
        list,
        "renewed_targets",
        renewed_targets((D("new b"), D("new a")))
    );
    case!(list, "some_targets", some_targets());
    case!(
        list,
        "nested_targets",
        nested_targets(Pair {
            left: D("left"),
            right: D("right")
        })
    );
    case!(list, "awaited_targets", awaited_targets());
    case!(list, "targets never", targets_on_some_paths(false, true));
    case!(list, "targets gone", targets_on_some_paths(true, false));
    case!(list, "targets back", targets_on_some_paths(true, true));
    case!(list, "targets last", targets_on_some_paths(false, false));
    case!(list, "looked_at_only", looked_at_only(D("a")));
    list
}
