//! Parts of locals that an awaited method moves, next to the rest of the local.
//!
//! `subject!` decides what the cases become.

use super::log::*;

/// A local of two parts. Each part has a destructor that is noted, and the whole has none.
struct Pair {
    first: Part,
    second: Part,
}

/// A part, which an async method moves.
struct Part(D);

impl Part {
    async fn close(self) -> D {
        tick("close").await;
        self.0
    }

    async fn close_beside(self, other: &Part) -> D {
        tick("beside").await;
        look(&other.0);
        self.0
    }

    fn open(self) -> D {
        self.0
    }
}

fn pair() -> Pair {
    Pair {
        first: Part(D("first")),
        second: Part(D("second")),
    }
}

async fn both(one: D, other: &D) -> D {
    tick("both").await;
    look(other);
    one
}

subject! {
    async fn part_of_an_argument(pair: Pair) -> D {
        pair.first.close().await
    }
}

subject! {
    async fn part_of_a_tuple(pair: (Part, D)) -> D {
        pair.0.close().await
    }
}

subject! {
    async fn part_of_a_box(pair: Box<Pair>) -> D {
        pair.first.close().await
    }
}

subject! {
    async fn part_beside_the_rest(pair: Pair) -> D {
        pair.first.close_beside(&pair.second).await
    }
}

subject! {
    async fn part_behind_a_wait(pair: Pair) -> D {
        tick("before").await;
        let closed = pair.first.close_beside(&pair.second).await;
        tick("after").await;
        closed
    }
}

subject! {
    async fn part_behind_a_borrow(pair: Pair) -> D {
        let second = &pair.second;
        pair.first.close_beside(second).await
    }
}

subject! {
    async fn part_in_an_argument(pair: Pair) -> D {
        both(pair.first.open(), &pair.second.0).await
    }
}

subject! {
    async fn part_in_an_awaited_closure(pair: Pair) -> D {
        both(Some(()).map(|()| pair.first.open()).unwrap(), &pair.second.0).await
    }
}

subject! {
    async fn part_by_branch(pair: Pair, is_first: bool) -> D {
        if is_first {
            pair.first.close_beside(&pair.second).await
        } else {
            tick("other").await;
            pair.second.open()
        }
    }
}

subject! {
    async fn part_and_output(pair: Pair) -> usize {
        let closed = Some(pair.first.close().await).map(|d| d.0.len()).unwrap_or_default();
        closed + pair.second.0.0.len()
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "part_of_an_argument", part_of_an_argument(pair()));
    case!(list, "part_of_a_tuple", part_of_a_tuple((Part(D("left")), D("right"))));
    case!(list, "part_of_a_box", part_of_a_box(Box::new(pair())));
    case!(list, "part_beside_the_rest", part_beside_the_rest(pair()));
    case!(list, "part_behind_a_wait", part_behind_a_wait(pair()));
    case!(list, "part_behind_a_borrow", part_behind_a_borrow(pair()));
    case!(list, "part_in_an_argument", part_in_an_argument(pair()));
    case!(list, "part_in_an_awaited_closure", part_in_an_awaited_closure(pair()));
    case!(list, "part_by_branch first", part_by_branch(pair(), true));
    case!(list, "part_by_branch second", part_by_branch(pair(), false));
    case!(list, "part_and_output", part_and_output(pair()));
    list
}
