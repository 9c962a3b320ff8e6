// The order in which locals are dropped; `subject!` decides what the cases become.

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
    list
}
