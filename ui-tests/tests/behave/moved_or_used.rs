//! Locals that one path moves and another uses, of types of all kinds.
//!
//! `subject!` decides what the cases become.

use super::log::*;

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

fn strike(name: &'static str) -> u32 {
    note(format!("strike-{name}"));
    1
}

impl Tagged {
    fn number(&self) -> u32 {
        note("number");
        self.0.0.len() as u32
    }

    fn renamed(self) -> Tagged {
        note("renamed");
        Tagged(D("renamed"))
    }
}

struct Tagged(D);

fn pair() -> (Tagged, Tagged) {
    (Tagged(D("a")), Tagged(D("z")))
}

subject! {
    async fn bound_together(pair: (Tagged, Tagged)) -> u32 {
        let (a, z) = pair;
        step("first", strike("first"), ()).await;
        let number = a.number();
        tick("second").await;
        number + z.number()
    }
}

subject! {
    async fn bound_in_an_argument((a, z): (Tagged, Tagged), n: u32) -> u32 {
        step("first", strike("first"), ()).await;
        let renamed = a.renamed();
        tick("second").await;
        look(&renamed.0);
        n + z.number()
    }
}

subject! {
    async fn bound_or_left(pair: Option<(Tagged, Tagged, Tagged)>) -> u32 {
        let Some((a, m, z)) = pair else { return 3 };
        step("first", strike("first"), ()).await;
        let number = m.number();
        tick("second").await;
        look(&a.0);
        number + z.number()
    }
}

subject! {
    async fn taken_before_a_branch(n: u32) -> u32 {
        let a = D("a");
        step("looked", 1, look(&a)).await;
        let x = Some(D("x"));
        let x = x.unwrap();
        if n == 1 {
            tick("branch").await;
        }
        look(&a);
        n + x.0.len() as u32
    }
}

subject! {
    async fn taken_before_a_loop(n: u32) -> u32 {
        let named = Tagged(D("named"));
        filled_in("filled", &named).await;
        let (x, z) = pair();
        let other = x.renamed();
        let mut turn = 0;
        loop {
            tick("turn").await;
            turn += 1;
            if turn > n {
                break;
            }
        }
        filled_in("again", &named).await;
        turn + other.number() + z.number()
    }
}

async fn filled_in(name: &'static str, named: &Tagged) {
    tick(name).await;
    look(&named.0);
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "looked_at yes", looked_at(D("a"), true));
    case!(list, "looked_at no", looked_at(D("a"), false));
    case!(list, "captured yes", captured(D("a"), true));
    case!(list, "captured no", captured(D("a"), false));
    case!(list, "of_any_type yes", of_any_type(D("a"), true));
    case!(list, "of_any_type no", of_any_type(D("a"), false));
    case!(list, "of_any_type plain", of_any_type(7_u8, true));
    case!(list, "copied yes", copied(Point { x: 1, y: 2 }, true));
    case!(list, "copied no", copied(Point { x: 1, y: 2 }, false));
    case!(list, "bound_together", bound_together(pair()));
    case!(list, "bound_in_an_argument", bound_in_an_argument(pair(), 1));
    case!(list, "bound_or_left", {
        bound_or_left(Some((Tagged(D("a")), Tagged(D("m")), Tagged(D("z")))))
    });
    case!(list, "taken_before_a_branch 0", taken_before_a_branch(0));
    case!(list, "taken_before_a_branch 1", taken_before_a_branch(1));
    case!(list, "taken_before_a_loop", taken_before_a_loop(1));
    list
}
