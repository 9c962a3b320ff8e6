//! Cases of locals that are assigned after an await at which the old value is dead.
//!
//! `subject!` decides what they become.

use super::log::*;

/// Takes room, and has no destructor.
#[derive(Debug)]
pub(crate) struct Room([u64; 16]);

fn room(value: u64) -> Room {
    note(format!("room-{value}"));
    Room([value; 16])
}

/// The same, and a copy of it is as good.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Card([u64; 16]);

fn card(value: u64) -> Card {
    note(format!("card-{value}"));
    Card([value; 16])
}

/// The same with something borrowed in it.
#[derive(Debug)]
pub(crate) struct Kept<'a> {
    held: &'a D,
    card: Card,
}

fn first(card: Card) -> u64 {
    card.0[0]
}

subject! {
    async fn never_read() -> u8 {
        let mut found: Room = room(1);
        tick("one").await;
        found = room(2);
        tick("two").await;
        1
    }
}

subject! {
    async fn read_then_renewed() -> u64 {
        let mut found: Room = room(1);
        let before: u64 = found.0[0];
        tick("one").await;
        found = Room([before + 1; 16]);
        note(format!("{:?}", &found.0[..2]));
        tick("two").await;
        found.0[3]
    }
}

subject! {
    async fn in_a_loop(times: u64) -> u64 {
        let mut found: Room = room(0);
        let mut sum: u64 = 0;
        for i in 0..times {
            tick("turn").await;
            if i == 1 {
                continue;
            }
            found = room(i);
            sum += found.0[0];
        }
        sum
    }
}

subject! {
    async fn on_some_paths(times: u32) -> u64 {
        let mut found: Room = room(7);
        let mut turn: u32 = 0;
        while turn < times {
            if turn % 2 == 0 {
                found = room(u64::from(turn));
                tick("even").await;
                note(format!("{}", found.0[1]));
            }
            tick("turn").await;
            turn += 1;
        }
        tick("end").await;
        found = room(9);
        found.0[0]
    }
}

subject! {
    async fn with_destructors(times: u32) -> &'static str {
        let mut held: D = D("first");
        let outer: D = D("outer");
        let mut turn: u32 = 0;
        while turn < times {
            tick("turn").await;
            held = D("next");
            look(&held);
            turn += 1;
        }
        tick("end").await;
        look(&outer);
        held = D("last");
        tick("after").await;
        held.0
    }
}

subject! {
    async fn of_an_argument(mut card_of_two: (D, D), mut plain: Card) -> u64 {
        tick("one").await;
        plain = card(3);
        card_of_two = (D("c"), D("d"));
        tick("two").await;
        look(&card_of_two.1);
        first(plain)
    }
}

subject! {
    async fn copied(times: u64) -> u64 {
        let mut seen: Card = card(1);
        let mut sum: u64 = first(seen);
        for i in 0..times {
            tick("turn").await;
            seen = card(i);
            let again: Card = seen;
            sum += first(seen) + first(again);
            let by_value = move || first(seen);
            sum += by_value() + seen.0[2];
            if i > 1 {
                tick("kept").await;
                sum += first(seen);
            }
        }
        sum
    }
}

subject! {
    async fn copied_behind() -> u64 {
        let mut seen: Card = card(1);
        let before: u64 = seen.0[0];
        tick("one").await;
        seen = card(2);
        let again: Card = seen;
        let by_value = move || first(seen);
        note(format!("{}", by_value() + first(again)));
        tick("two").await;
        before + first(seen)
    }
}

subject! {
    async fn of_a_lifetime<'a>(held: &'a D, card: Card) -> u64 {
        let kept: Kept<'a> = Kept { held, card };
        note(format!("{kept:?} {} {}", kept.held.0, kept.card.0[0]));
        tick("one").await;
        let pair: (&'a D, Option<Room>) = (held, step::<Option<Room>>("maybe", 1, None).await);
        tick("two").await;
        1
    }
}

subject! {
    async fn of_a_length<const N: usize>(numbers: [u32; N], held: [D; N]) -> u32 {
        let kept: ([u32; N], Room) = (numbers, room(2));
        let both: (u8, [D; N]) = (1, held);
        tick("one").await;
        note("behind");
        7
    }
}

subject! {
    async fn by_an_await() -> u64 {
        let mut found: Room = room(1);
        note("made");
        found = step::<Room>("two", 1, room(2)).await;
        let sum: u64 = found.0[0];
        tick("between").await;
        found = step::<Room>("three", 2, room(3)).await;
        sum + found.0[0]
    }
}

subject! {
    async fn moved_and_renewed(away: bool) -> &'static str {
        let mut held: D = D("first");
        let last: D = D("last");
        tick("one").await;
        if away {
            consume(held);
        }
        tick("two").await;
        look(&last);
        held = D("second");
        look(&held);
        tick("three").await;
        held.0
    }
}

subject! {
    async fn captured_and_renewed(times: u32) -> u64 {
        let mut found: Room = room(1);
        let mut sum: u64 = 0;
        let mut turn: u32 = 0;
        while turn < times {
            tick("turn").await;
            found = room(u64::from(turn));
            let look_at = || found.0[0];
            sum += look_at();
            let taken = found;
            let by_value = move || taken.0[1];
            sum += by_value();
            found = Room([0; 16]);
            turn += 1;
        }
        sum
    }
}

subject! {
    async fn in_a_block(which: u32) -> u64 {
        let mut outer: Room = room(1);
        let found: u64 = 'out: {
            let mut inner: Room = room(2);
            tick("in").await;
            if which == 0 {
                break 'out 0;
            }
            inner = room(3);
            outer = room(4);
            if which == 1 {
                tick("one").await;
                break 'out inner.0[0];
            }
            tick("two").await;
            inner = Room([outer.0[0]; 16]);
            inner.0[0]
        };
        tick("behind").await;
        outer = room(5);
        found + outer.0[0]
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "never_read", never_read());
    case!(list, "read_then_renewed", read_then_renewed());
    case!(list, "in_a_loop", in_a_loop(3));
    case!(list, "on_some_paths", on_some_paths(3));
    case!(list, "with_destructors", with_destructors(2));
    case!(list, "with_destructors none", with_destructors(0));
    case!(
        list,
        "of_an_argument",
        of_an_argument((D("a"), D("b")), card(1))
    );
    case!(list, "renewed copied", copied(3));
    case!(list, "copied_behind", copied_behind());
    case!(list, "of_a_lifetime", of_a_lifetime(Box::leak(Box::new(D("leaked"))), card(1)));
    case!(list, "of_a_length", of_a_length([1, 2], [D("a"), D("b")]));
    case!(list, "by_an_await", by_an_await());
    case!(list, "moved_and_renewed yes", moved_and_renewed(true));
    case!(list, "moved_and_renewed no", moved_and_renewed(false));
    case!(list, "captured_and_renewed", captured_and_renewed(2));
    case!(list, "in_a_block 0", in_a_block(0));
    case!(list, "in_a_block 1", in_a_block(1));
    case!(list, "in_a_block 2", in_a_block(2));
    list
}
