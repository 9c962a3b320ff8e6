// Locals that are moved on some paths only; `subject!` decides what the cases become.

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
    async fn looked_at(a: D, away: bool) -> usize {
        let mut text: Noisy = Noisy { first: D("first"), second: 3 };
        text.second += 1;
        let len: usize = text.len();
        look(&text.first);
        let seen: String = format!("{text:?}{}", text.second == 4);
        if away || text.second == 9 {
            note(seen);
            let Noisy { first, second } = { text };
            look(&first);
            note(format!("{second}"));
        } else {
            match text {
                Noisy { second: 4, .. } => note("four"),
                _ => note("other"),
            }
        }
        tick("one").await;
        len
    }
}

subject! {
    async fn captured(a: D, away: bool) -> u8 {
        let b: D = D("b");
        if away {
            let run = move || look(&b);
            run();
            run();
        }
        tick("one").await;
        8
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
    async fn of_any_type<T: Named>(value: T, away: bool) -> u8 {
        let also: T = value.again();
        if away {
            T::end(value);
            drop(also);
        }
        tick("one").await;
        tick("two").await;
        10
    }
}

subject! {
    async fn copied(point: Point, use_it: bool) -> u32 {
        let mut sum: u32 = 0;
        if use_it {
            sum += add(point);
        }
        tick("one").await;
        if use_it {
            tick("two").await;
            sum += add(point);
        }
        tick("three").await;
        sum
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
    case!(list, "moved_in_a_loop", moved_in_a_loop(3));
    case!(list, "moved_out_of_a_loop never", moved_out_of_a_loop(2, 5));
    case!(list, "moved_out_of_a_loop first", moved_out_of_a_loop(2, 0));
    case!(list, "moved_out_of_a_loop later", moved_out_of_a_loop(3, 1));
    case!(list, "set_in_a_branch yes", set_in_a_branch(true));
    case!(list, "set_in_a_branch no", set_in_a_branch(false));
    case!(list, "set_again yes", set_again(D("a"), true));
    case!(list, "set_again no", set_again(D("a"), false));
    case!(list, "set_by_an_await yes", set_by_an_await(true));
    case!(list, "set_by_an_await no", set_by_an_await(false));
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
    case!(list, "looked_at yes", looked_at(D("a"), true));
    case!(list, "looked_at no", looked_at(D("a"), false));
    case!(list, "captured yes", captured(D("a"), true));
    case!(list, "captured no", captured(D("a"), false));
    case!(list, "in_an_inner_block yes", in_an_inner_block(true));
    case!(list, "in_an_inner_block no", in_an_inner_block(false));
    case!(list, "of_any_type yes", of_any_type(D("a"), true));
    case!(list, "of_any_type no", of_any_type(D("a"), false));
    case!(list, "of_any_type plain", of_any_type(7_u8, true));
    case!(list, "copied yes", copied(Point { x: 1, y: 2 }, true));
    case!(list, "copied no", copied(Point { x: 1, y: 2 }, false));
    case!(list, "names_shared yes", names_shared(true));
    case!(list, "names_shared no", names_shared(false));
    case!(list, "handed_on yes", handed_on(D("a"), 0));
    case!(list, "handed_on no", handed_on(D("a"), 1));
    list
}

#[derive(Debug)]
pub(crate) struct Noisy {
    first: D,
    second: u32,
}

impl Noisy {
    fn len(&self) -> usize {
        self.first.0.len()
    }
}

pub(crate) trait Named: std::fmt::Debug + 'static {
    fn again(&self) -> Self;
    fn end(self);
}

impl Named for D {
    fn again(&self) -> Self {
        note("again");
        D("again")
    }

    fn end(self) {
        consume(self);
    }
}

impl Named for u8 {
    fn again(&self) -> Self {
        *self
    }

    fn end(self) {}
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    x: u32,
    y: u32,
}

fn add(point: Point) -> u32 {
    point.x + point.y
}
