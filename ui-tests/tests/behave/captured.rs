//! Cases of closures and `async` blocks that capture a local, a part of one, or only name it.
//!
//! `subject!` decides what they become.

use super::log::*;

/// Has a part that can be copied out of it.
#[derive(Debug)]
pub(crate) struct Permit {
    id: u32,
    held: D,
}

fn permit(id: u32) -> Permit {
    Permit { id, held: D("permit") }
}

/// Has a field of the name that locals have here.
#[derive(Debug)]
pub(crate) struct Row {
    held: u32,
}

/// Calls it, and drops it.
fn call<T>(job: impl FnOnce() -> T) -> T {
    job()
}

subject! {
    async fn field_of_another(held: D) -> u32 {
        let row: Row = Row { held: 7 };
        let n: u32 = call(move || row.held);
        tick("one").await;
        n
    }
}

subject! {
    async fn shadowed_inside(held: D) -> u8 {
        call(move || {
            let held: D = D("inner");
            drop(held);
        });
        tick("one").await;
        call(move || (|held: D| drop(held))(D("argument")));
        tick("two").await;
        1
    }
}

subject! {
    async fn copied_part(held: Permit) -> u32 {
        let n: u32 = call(move || held.id);
        tick("one").await;
        n
    }
}

subject! {
    async fn discarded_inside(held: D) -> u8 {
        call(move || {
            let _ = held;
            note("called");
        });
        tick("one").await;
        2
    }
}

subject! {
    async fn captured_whole(held: Permit, other: D) -> u32 {
        let n: u32 = call(move || {
            look(&held.held);
            held.id + { held }.id
        });
        tick("one").await;
        n
    }
}

subject! {
    async fn in_a_block(held: D, row: Row) -> u32 {
        let job: std::pin::Pin<Box<dyn Future<Output = u32>>> = Box::pin(async move { row.held });
        let n: u32 = job.await;
        tick("one").await;
        n
    }
}

subject! {
    async fn captured_on_a_path(held: D, row: Row, way: u8) -> u32 {
        let n: u32 = match way {
            0 => call(move || row.held),
            1 => call(move || {
                look(&held);
                1
            }),
            _ => call(move || {
                drop(held);
                2
            }),
        };
        tick("one").await;
        n
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "field_of_another", field_of_another(D("held")));
    case!(list, "shadowed_inside", shadowed_inside(D("held")));
    case!(list, "copied_part", copied_part(permit(3)));
    case!(list, "discarded_inside", discarded_inside(D("held")));
    case!(list, "captured_whole", captured_whole(permit(4), D("other")));
    case!(list, "in_a_block", in_a_block(D("held"), Row { held: 5 }));
    case!(list, "captured_on_a_path 0", captured_on_a_path(D("held"), Row { held: 6 }, 0));
    case!(list, "captured_on_a_path 1", captured_on_a_path(D("held"), Row { held: 6 }, 1));
    case!(list, "captured_on_a_path 2", captured_on_a_path(D("held"), Row { held: 6 }, 2));
    list
}
