//! Cases of nested patterns whose branches await.

use super::log::*;

/// Events, some of which contain logging values.
enum Event {
    Paid { id: u32, by: D },
    Refused(Reason),
    Nothing,
}

enum Reason {
    Text(D),
    Number(u32),
}

subject! {
    async fn event(n: u32) -> Option<Event> {
        tick("event").await;
        match n {
            0 => None,
            1 => Some(Event::Paid { id: n, by: D("payer") }),
            2 => Some(Event::Refused(Reason::Text(D("text")))),
            3 => Some(Event::Refused(Reason::Number(n))),
            _ => Some(Event::Nothing),
        }
    }
}

subject! {
    async fn of_value(n: u32) -> u32 {
        let held: D = D("held");
        let found: u32 = match event(n).await {
            Some(Event::Paid { id, by }) => {
                tick("paid").await;
                look(&by);
                id
            }
            Some(Event::Refused(Reason::Text(text))) => {
                let inner: D = D("inner");
                tick("text").await;
                look(&inner);
                drop(text);
                2
            }
            Some(Event::Refused(Reason::Number(number))) => {
                tick("number").await;
                number
            }
            Some(Event::Nothing) | None => 4,
        };
        look(&held);
        found
    }
}

subject! {
    async fn of_place(n: u32) -> u32 {
        let event: Option<Event> = event(n).await;
        let after: D = D("after");
        match event {
            Some(Event::Paid { id, by }) => {
                tick("paid").await;
                look(&by);
                id
            }
            Some(Event::Refused(Reason::Text(text))) => {
                tick("text").await;
                look(&after);
                drop(text);
                2
            }
            Some(Event::Refused(Reason::Number(_)) | Event::Nothing) => 3,
            None => {
                tick("none").await;
                4
            }
        }
    }
}

subject! {
    async fn with_rest(n: u32) -> u32 {
        let held: D = D("held");
        let found: u32 = match event(n).await {
            Some(Event::Paid { by, .. }) => {
                tick("paid").await;
                look(&by);
                1
            }
            Some(Event::Refused(_)) => {
                tick("refused").await;
                2
            }
            _ => {
                tick("other").await;
                3
            }
        };
        look(&held);
        found
    }
}

/// A type with a destructor of its own. Its parts are copied.
struct Guarded {
    number: u32,
}

impl Drop for Guarded {
    fn drop(&mut self) {
        drop(D("guarded"));
    }
}

subject! {
    async fn guarded(n: u32) -> Result<Guarded, D> {
        tick("guarded").await;
        if n > 0 { Ok(Guarded { number: n }) } else { Err(D("error")) }
    }
}

subject! {
    async fn with_destructor(n: u32) -> u32 {
        let found: u32 = match guarded(n).await {
            Ok(Guarded { number }) => {
                tick("number").await;
                note("before the destructor");
                number
            }
            Err(error) => {
                tick("error").await;
                look(&error);
                0
            }
        };
        found + 1
    }
}

subject! {
    async fn of_tuple(n: u32) -> u32 {
        let both: u32 = match (guarded(n).await, event(n).await) {
            (Ok(guarded), Some(Event::Paid { id, by })) => {
                tick("both").await;
                look(&by);
                guarded.number + id
            }
            (Err(error), other) => {
                tick("error").await;
                look(&error);
                u32::from(other.is_some())
            }
            (Ok(_), _) => 7,
        };
        both
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "of value, 0", of_value(0));
    case!(list, "of value, 1", of_value(1));
    case!(list, "of value, 2", of_value(2));
    case!(list, "of value, 3", of_value(3));
    case!(list, "of value, 4", of_value(4));
    case!(list, "of place, 0", of_place(0));
    case!(list, "of place, 1", of_place(1));
    case!(list, "of place, 2", of_place(2));
    case!(list, "of place, 3", of_place(3));
    case!(list, "with rest, 0", with_rest(0));
    case!(list, "with rest, 1", with_rest(1));
    case!(list, "with rest, 2", with_rest(2));
    case!(list, "with destructor, 0", with_destructor(0));
    case!(list, "with destructor, 1", with_destructor(1));
    case!(list, "of tuple, 0", of_tuple(0));
    case!(list, "of tuple, 1", of_tuple(1));
    case!(list, "of tuple, 2", of_tuple(2));
    list
}
